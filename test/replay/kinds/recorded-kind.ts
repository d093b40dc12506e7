import type {AgentBasics, ThreadRecord} from '@symphony-supervisor/protocol';
import type {Agent} from '../../../packages/runner/src/agent/agent.ts';
import type {AgentRecording, Message} from './agent-recording.ts';

/** What a message of a client is, of the recorded one or of ours. */
export type ClientMessage =
  /** A turn begins; `id` if the agent answers it like a request. */
  | {readonly is: 'prompt'; readonly text: string; readonly id: string | null}
  | {readonly is: 'interrupt'; readonly id: string | null}
  | {readonly is: 'request'; readonly name: string; readonly id: string}
  /** To a request of the agent. `grants`: what was asked for is allowed. */
  | {readonly is: 'answer'; readonly to: string; readonly grants: boolean}
  /** Expects nothing. */
  | {readonly is: 'notice'};

/** What a message of the agent is. */
export type AgentMessage =
  | {readonly is: 'request'; readonly id: string}
  /** `endsTurn`: it is the end of a turn as well. */
  | {readonly is: 'answer'; readonly to: string; readonly endsTurn: boolean}
  | {readonly is: 'notice'; readonly endsTurn: boolean};

/** A protocol, as far as a recording must be kept in step with another client. */
export interface RecordedProtocol {
  client(message: Message): ClientMessage;
  agent(message: Message): AgentMessage;
  /** An answer of the agent to request `id` of our client; the recorded client had another id for it. */
  readdressed(message: Message, id: string): Message;
  /** Any other change that makes a recorded message one to our client, which was started with these arguments. */
  adapted?(message: Message, args: readonly string[]): Message;
  /** What the agent answers to a request that the recorded client never made. null: it would not know it. */
  improvised(ours: Message): readonly Message[] | null;
  /**
   * What the agent says after an interrupt or an answer of ours where the recorded client had done something else. Nothing,
   * if the agent goes on only after what our client says next. `prompt` is the id that our client gave to the turn.
   */
  diverged(ours: Message, prompt: string | null): readonly Message[];
}

/** A kind of agent whose recordings can be played to our session. */
export interface RecordedKind<Job extends AgentBasics = AgentBasics> {
  /** Recordings of it begin with this and a dash; ours are in test/recordings/<kind>. */
  readonly kind: string;
  load(): Promise<Agent<Job>>;
  /** A job that starts this command. */
  job(command: string, recording: AgentRecording): Job;
  readonly protocol: RecordedProtocol;
  /** The conversation that a recording goes on with. */
  recorded(recording: AgentRecording): Pick<ThreadRecord, 'id' | 'usage'> | null;
  /**
   * What recordings come to with our session: how each turn ended, `completed` or a failure code, one after the other;
   * `not started: <code>` if there was no conversation. A name without `.jsonl`.
   */
  readonly verdicts: Readonly<Record<string, string>>;
}
