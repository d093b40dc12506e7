import {readFileSync} from 'node:fs';

/** A message of either side; ids of the two sides collide, so only `method` tells a question from an answer. */
export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: {readonly code?: number; readonly message?: string};
}

export interface Exit {
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
}

/** What happened, one line of the recording each; "client" is whoever spoke with Codex then. */
export type Entry =
  | {
      readonly is: 'client-request';
      readonly id: number | string;
      readonly method: string;
      readonly params: unknown;
    }
  | {readonly is: 'client-answer'; readonly id: number | string; readonly answer: Message}
  | {readonly is: 'said'; readonly message: Message}
  /** Said as it stands, message or not. */
  | {readonly is: 'raw'; readonly line: string}
  | {readonly is: 'stderr'; readonly text: string}
  | {readonly is: 'exit'; readonly exit: Exit};

/** All that passed between a client and one Codex process, from its start to its exit. */
export type Session = readonly Entry[];

/** Reads a recording: `{t, dir, msg}` for the protocol, `{t, ev, …}` for the rest. */
export function readRecording(path: string): Session[] {
  const sessions: Entry[][] = [];
  for (const line of wholeLines(readFileSync(path, 'utf8'))) {
    if (line.ev === 'spawn' || line.ev === 'agent_started') sessions.push([]);
    const entry = entryOf(line);
    if (entry !== null) sessions.at(-1)?.push(entry);
  }
  return sessions;
}

type Line = Readonly<Record<string, unknown>>;

/** A recorder that was killed leaves half a line behind; nothing else may be broken. */
function wholeLines(text: string): Line[] {
  const lines = text.split('\n');
  const unfinished = lines.pop() ?? '';
  if (unfinished.trimEnd().endsWith('}')) lines.push(unfinished);
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Line);
}

function entryOf(line: Line): Entry | null {
  if (line.dir === '<-') return {is: 'said', message: line.msg as Message};
  if (line.dir === '->') return clientEntry(line.msg as Message);
  switch (line.ev) {
    case 'stderr':
      return {is: 'stderr', text: `${String(line.line)}\n`};
    case 'output':
      return line.source === 'stderr' ? {is: 'stderr', text: String(line.text)} : null;
    case 'malformed':
      return typeof line.line === 'string' ? {is: 'raw', line: line.line} : null;
    case 'exit':
      return {is: 'exit', exit: {code: numberOr(0, line.code), signal: signalOf(line.signal)}};
    case 'agent_exited':
      return {is: 'exit', exit: exitInWords(String(line.exit))};
    default:
      return null;
  }
}

/** Notifications of a client expect nothing and so are not waited for. */
function clientEntry({id, method, params, ...answer}: Message): Entry | null {
  if (id === undefined) return null;
  return method === undefined
    ? {is: 'client-answer', id, answer}
    : {is: 'client-request', id, method, params};
}

/** "exit code 1", "signal SIGKILL" */
function exitInWords(words: string): Exit {
  const code = /^exit code (\d+)$/.exec(words)?.[1];
  const signal = /^signal (SIG[A-Z0-9]+)$/.exec(words)?.[1];
  return {code: Number(code ?? 0), signal: signalOf(signal)};
}

function signalOf(value: unknown): NodeJS.Signals | null {
  return typeof value === 'string' ? (value as NodeJS.Signals) : null;
}

function numberOr(otherwise: number, value: unknown): number {
  return typeof value === 'number' ? value : otherwise;
}
