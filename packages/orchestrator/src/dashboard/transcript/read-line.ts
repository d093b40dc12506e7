import {
  type Loose,
  list,
  loose,
  numberOrNull,
  plain,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';
import type {Entry, FileChange, PlanStep} from './entry.ts';

/** An entry without its position. */
export type Body = Entry extends infer E
  ? E extends Entry
    ? Omit<E, 'key' | 'at'>
    : never
  : never;

/** More of one item than people read here; the file has all of it. */
const LONGEST_TEXT = 200_000;

export function grown(former: string, more: string): string {
  return former.length >= LONGEST_TEXT ? former : former + more;
}

/** An action of an agent from a line of the transcript. Streamed text stays if the line has less. */
export function readLine(line: Loose, former: Entry | undefined): Body | null {
  switch (line['ev']) {
    case 'message':
    case 'reasoning':
      return said(line['ev'], line, former);
    case 'command':
      return command(line, former);
    case 'file_change':
      return {
        is: 'files',
        changes: list(line['changes']).map((change) => fileChange(loose(change))),
        status: text(line['status']),
      };
    case 'tool':
      return {
        is: 'tool',
        name: text(line['name']),
        input: text(line['input']),
        result: textOrNull(line['result']),
        ok: typeof line['ok'] === 'boolean' ? line['ok'] : null,
        ms: numberOrNull(line['ms']),
      };
    case 'plan':
      return {
        is: 'plan',
        steps: list(line['steps']).map((step) => planStep(loose(step))),
        explanation: textOrNull(line['explanation']),
      };
    case 'question':
      return {is: 'question', text: text(line['text']), options: list(line['options']).map(text)};
    case 'notice': {
      const level = line['level'] === 'error' || line['level'] === 'info' ? line['level'] : 'warn';
      return {is: 'notice', level, text: text(line['text'])};
    }
    default:
      return null;
  }
}

/** Whether it is complete. */
export function isOver(body: Body): boolean {
  switch (body.is) {
    case 'message':
    case 'reasoning':
      return body.done;
    case 'command':
    case 'files':
      return body.status !== 'running';
    case 'tool':
      return body.ok !== null;
    default:
      return false;
  }
}

function said(is: 'message' | 'reasoning', line: Loose, former: Entry | undefined): Body {
  const before = former?.is === is ? former.text : '';
  if (typeof line['delta'] === 'string')
    return {is, text: grown(before, line['delta']), done: false};
  return {is, text: text(line['text']) || before, done: line['done'] === true};
}

function command(line: Loose, former: Entry | undefined): Body | null {
  const before = former?.is === 'command' ? former : null;
  if (typeof line['delta'] === 'string') {
    return before && {...before, output: grown(before.output, plain(line['delta']))};
  }
  return {
    is: 'command',
    command: text(line['command']),
    cwd: textOrNull(line['cwd']),
    output: plain(textOrNull(line['output']) ?? before?.output ?? ''),
    exitCode: numberOrNull(line['exit_code']),
    status: text(line['status']),
    ms: numberOrNull(line['ms']),
  };
}

function fileChange(change: Loose): FileChange {
  const {kind} = change;
  return {
    path: text(change['path']),
    kind: kind === 'add' || kind === 'delete' ? kind : 'update',
    diff: text(change['diff']),
  };
}

function planStep(step: Loose): PlanStep {
  const {status} = step;
  return {
    step: text(step['step']),
    status: status === 'completed' || status === 'in_progress' ? status : 'pending',
  };
}
