import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

/** A message of either side, in whatever protocol. */
export type Message = Readonly<Record<string, unknown>>;

export type RecordedEntry =
  | {readonly is: 'client'; readonly message: Message}
  | {readonly is: 'agent'; readonly message: Message}
  /** A line of the agent that is no message. */
  | {readonly is: 'raw'; readonly line: string}
  | {readonly is: 'stderr'; readonly text: string}
  | {readonly is: 'exit'; readonly code: number; readonly signal: NodeJS.Signals | null};

/** All that passed between a client and one process of an agent. */
export interface AgentRecording {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly args: readonly string[];
  readonly entries: readonly RecordedEntry[];
}

/** Name → path of every recording of this kind, in the folder that `AGENT_TRANSCRIPTS` names, or of our own. */
export function findAgentRecordings(kind: string): ReadonlyMap<string, string> {
  const own = fileURLToPath(new URL(`../../recordings/${kind}`, import.meta.url));
  const folder = resolve(process.env.AGENT_TRANSCRIPTS ?? own);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const recordings = files.filter((file) => file.startsWith(`${kind}-`) && file.endsWith('.jsonl'));
  return new Map(recordings.sort().map((file) => [basename(file, '.jsonl'), join(folder, file)]));
}

/** Reads `{t, dir, msg}` for the protocol and `{t, ev, …}` for the rest. */
export function readAgentRecording(name: string, path: string): AgentRecording {
  const lines = readFileSync(path, 'utf8').split('\n');
  const parsed = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
  const spawn = parsed.find(({ev}) => ev === 'spawn');
  return {name, args: spawn?.argv ?? [], entries: parsed.flatMap((line) => entryOf(line) ?? [])};
}

function entryOf(line: Message): RecordedEntry | null {
  const {dir, msg, ev} = line;
  if (dir !== undefined && !isMessage(msg)) {
    return dir === '<-' ? {is: 'raw', line: String(msg)} : null;
  }
  if (dir === '->' && isMessage(msg)) return {is: 'client', message: msg};
  if (dir === '<-' && isMessage(msg)) return {is: 'agent', message: msg};
  if (ev === 'stderr') return {is: 'stderr', text: `${String(line.line).trimEnd()}\n`};
  if (ev !== 'exit') return null;
  const signal = typeof line.signal === 'string' ? (line.signal as NodeJS.Signals) : null;
  return {is: 'exit', code: typeof line.code === 'number' ? line.code : 0, signal};
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
