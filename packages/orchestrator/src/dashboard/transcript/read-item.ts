import type {CommandEntry, Entry, FileChange, ToolEntry} from './entry.ts';
import {type Loose, list, loose, numberOrNull, plain, shown, text, textOrNull} from './loose.ts';

type Body = Entry extends infer E ? (E extends Entry ? Omit<E, 'key' | 'at'> : never) : never;

/** An item of the protocol as it is read; null for those that say nothing of their own. */
export function readItem(item: Loose, former: Entry | undefined): Body | null {
  const done = item['completedAtMs'] !== null && item['completedAtMs'] !== undefined;
  switch (item['type']) {
    case 'agentMessage':
      return {is: 'message', text: longer(text(item['text']), former), done};
    case 'reasoning':
      return {is: 'reasoning', text: longer(reasoningOf(item), former), done};
    case 'commandExecution':
      return command(item, former);
    case 'fileChange':
      return {
        is: 'files',
        changes: list(item['changes']).map((change) => fileChange(loose(change))),
        status: text(item['status']),
      };
    case 'dynamicToolCall':
    case 'mcpToolCall':
      return toolCall(item);
    case 'webSearch':
      return tool('web search', item, text(item['query']), null, done ? true : null);
    case 'plan':
      return {is: 'message', text: text(item['text']), done};
    case 'enteredReviewMode':
    case 'exitedReviewMode':
    case 'contextCompaction':
      return {is: 'notice', level: 'info', text: `agent: ${text(item['type'])}`};
    default:
      return null; // a user message repeats the prompt
  }
}

/** What was streamed stays if the finished item says less. */
function longer(said: string, former: Entry | undefined): string {
  const streamed = former?.is === 'message' || former?.is === 'reasoning' ? former.text : '';
  return said === '' ? streamed : said;
}

function reasoningOf(item: Loose): string {
  const parts = [...list(item['summary']), ...list(item['content'])];
  return parts.map((part) => text(part) || text(loose(part)['text'])).join('\n\n');
}

function command(item: Loose, former: Entry | undefined): CommandEntry {
  const streamed = former?.is === 'command' ? former.output : '';
  return {
    is: 'command',
    command: unwrapShell(text(item['command'])),
    cwd: textOrNull(item['cwd']),
    output: plain(textOrNull(item['aggregatedOutput']) ?? streamed),
    exitCode: numberOrNull(item['exitCode']),
    status: text(item['status']),
    ms: numberOrNull(item['durationMs']),
  };
}

/** `/bin/bash -lc 'git status'` is read as `git status`. */
export function unwrapShell(commandLine: string): string {
  const quoted = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c '([\s\S]*)'$/.exec(commandLine)?.[1];
  return quoted === undefined ? commandLine : quoted.replaceAll(`'\\''`, `'`);
}

function fileChange(change: Loose): FileChange {
  const kind = loose(change['kind'])['type'] ?? change['kind'];
  return {
    path: text(change['path']),
    kind: kind === 'add' || kind === 'delete' ? kind : 'update',
    diff: text(change['diff']),
  };
}

function toolCall(item: Loose): ToolEntry {
  const place = textOrNull(item['namespace']) ?? textOrNull(item['server']);
  const name = [place, text(item['tool'])].filter((part) => part !== null).join('.');
  const failed = item['success'] === false || item['status'] === 'failed';
  const ended = failed || item['success'] === true || item['status'] === 'completed';
  const contents = list(item['contentItems'] ?? loose(item['result'])['content']);
  const said = contents.map((part) => text(loose(part)['text']) || shown(part)).join('\n');
  const error = shown(loose(item['error'])['message'] ?? item['error']);
  return tool(name, item, shown(item['arguments']), said || error || null, ended ? !failed : null);
}

function tool(
  name: string,
  item: Loose,
  input: string,
  result: string | null,
  ok: boolean | null,
): ToolEntry {
  return {is: 'tool', name, input, result, ok, ms: numberOrNull(item['durationMs'])};
}

export type {Body};
