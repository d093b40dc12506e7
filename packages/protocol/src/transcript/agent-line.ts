/**
 * What an agent did, in words that hold for every kind of agent. A runner writes these lines into the
 * transcript, each as `{t, ev, …}`, beside the raw messages of the agent's own protocol. What is shown
 * to people is read from these alone.
 *
 * `id` names an item within its turn: a later line with the same id replaces an earlier one.
 */
export type AgentLine =
  | {readonly ev: 'message'; readonly id: string; readonly text: string; readonly done: boolean}
  | {readonly ev: 'reasoning'; readonly id: string; readonly text: string; readonly done: boolean}
  | {readonly ev: 'plan'; readonly steps: readonly PlanStep[]; readonly explanation: string | null}
  | CommandLine
  | {
      readonly ev: 'file_change';
      readonly id: string;
      readonly changes: readonly FileChange[];
      readonly status: ItemStatus;
    }
  | ToolLine
  | {readonly ev: 'question'; readonly text: string; readonly options: readonly string[]}
  | {readonly ev: 'notice'; readonly level: 'info' | 'warn' | 'error'; readonly text: string}
  | UsageLine;

/** What the conversation has used so far, in all. */
export interface UsageLine {
  readonly ev: 'usage';
  readonly model: string | null;
  readonly total_tokens: number;
  /** The cost by the agent's own reckoning, since its process began or longer. */
  readonly cost_usd?: number;
  /** The agent was cut off, and has used more than it could say. */
  readonly is_partial?: true;
}

/** A piece of the text of a message, of reasoning, or of what a command prints: `{ev, id, delta}`. */
export type StreamedItem = 'message' | 'reasoning' | 'command';

/** What the runner itself writes of a turn. */
export type TurnLine =
  | {readonly ev: 'prompt'; readonly turn: number; readonly text: string}
  | {
      readonly ev: 'turn_ended';
      readonly status: 'completed' | 'failed' | 'interrupted';
      readonly error: string | null;
      readonly ms: number;
    };

export type ItemStatus = 'running' | 'completed' | 'failed' | 'declined';

export interface CommandLine {
  readonly ev: 'command';
  readonly id: string;
  readonly command: string;
  readonly cwd: string | null;
  /** null: what was streamed is all. */
  readonly output: string | null;
  readonly exit_code: number | null;
  readonly status: ItemStatus;
  readonly ms: number | null;
}

export interface ToolLine {
  readonly ev: 'tool';
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly result: string | null;
  /** null while it runs. */
  readonly ok: boolean | null;
  readonly ms: number | null;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'add' | 'delete' | 'update';
  /** The content of a file that was added or deleted, else a unified diff. */
  readonly diff: string;
}

export interface PlanStep {
  readonly step: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** More of one text than a person reads; the raw message has all of it. */
const LONGEST_TEXT = 100_000;

/** The end is what a reader looks for. */
export function cutText(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `…${text.slice(-LONGEST_TEXT)}`;
}

/** Whether nothing more will be streamed of its item. */
export function isLastOfItem(line: AgentLine): boolean {
  switch (line.ev) {
    case 'message':
    case 'reasoning':
      return line.done;
    case 'command':
    case 'file_change':
      return line.status !== 'running';
    case 'tool':
      return line.ok !== null;
    default:
      return false;
  }
}
