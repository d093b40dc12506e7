import type {Fields} from '../json.ts';
import type {TurnStatus} from '../script/played-turn.ts';
import type {Step} from '../script/step.ts';

/** Agent → test. */
export type Report =
  | {readonly report: 'hello'; readonly pid: number}
  | {readonly report: 'received'; readonly message: Fields}
  | {
      readonly report: 'turn';
      readonly turnId: string;
      readonly threadId: string;
      readonly input: string;
    }
  | {readonly report: 'turn-over'; readonly turnId: string; readonly status: TurnStatus}
  | {readonly report: 'waiting'; readonly gate: string}
  | {readonly report: 'performed'; readonly id: number; readonly result: unknown}
  | {readonly report: 'not-performed'; readonly id: number; readonly because: string};

/** Test → agent. An order without a turn is obeyed at once, whatever else is going on. */
export type Order =
  | {
      readonly order: 'perform';
      readonly id: number;
      readonly turnId: string | null;
      readonly step: Step;
    }
  | {readonly order: 'open'; readonly gate: string}
  | {readonly order: 'end'};
