import type {FileChange, PlanStep} from '@symphony-supervisor/protocol/transcript';

/** One event of a run for display. Its text is data of agents and trackers. */
export type Entry = {readonly key: string; readonly at: number} & (
  | {readonly is: 'prompt'; readonly text: string; readonly turn: number}
  | {readonly is: 'message'; readonly text: string; readonly done: boolean}
  | {readonly is: 'reasoning'; readonly text: string; readonly done: boolean}
  | CommandEntry
  | {readonly is: 'files'; readonly changes: readonly FileChange[]; readonly status: string}
  | {readonly is: 'plan'; readonly steps: readonly PlanStep[]; readonly explanation: string | null}
  | ToolEntry
  | {
      readonly is: 'turn';
      readonly status: string;
      readonly error: string | null;
      readonly ms: number;
    }
  | HookEntry
  | {readonly is: 'output'; readonly source: string; readonly text: string}
  | {readonly is: 'question'; readonly text: string; readonly options: readonly string[]}
  | {readonly is: 'notice'; readonly level: 'info' | 'warn' | 'error'; readonly text: string}
);

export interface CommandEntry {
  readonly is: 'command';
  readonly command: string;
  readonly cwd: string | null;
  readonly output: string;
  readonly exitCode: number | null;
  readonly status: string;
  readonly ms: number | null;
}

export interface ToolEntry {
  readonly is: 'tool';
  readonly name: string;
  readonly input: string;
  readonly result: string | null;
  /** null while it runs. */
  readonly ok: boolean | null;
  readonly ms: number | null;
}

export interface HookEntry {
  readonly is: 'hook';
  readonly name: string;
  readonly output: string;
  readonly failure: string | null;
  readonly done: boolean;
}

/** A phase of a run: its name, start and end, in milliseconds since the run began. */
export interface Stretch {
  readonly name: string;
  readonly from: number;
  readonly to: number | null;
}

export interface TokenPoint {
  readonly at: number;
  readonly total: number;
}

export type {FileChange, PlanStep};
