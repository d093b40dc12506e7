import {
  type AgentLine,
  cutText,
  type FileChange,
  type ItemStatus,
} from '../../transcript/agent-line.ts';
import {
  type Loose,
  list,
  loose,
  numberOrNull,
  plain,
  shown,
  text,
  textOrNull,
} from '../../transcript/loose.ts';

/** An item of Codex's protocol as it is read; null for those that say nothing of their own. */
export function itemLine(item: Loose, done: boolean): AgentLine | null {
  const id = text(item.id);
  switch (item.type) {
    case 'agentMessage':
    case 'plan':
      return {ev: 'message', id, text: cutText(text(item.text)), done};
    case 'reasoning':
      return {ev: 'reasoning', id, text: cutText(reasoningOf(item)), done};
    case 'commandExecution':
      return {
        ev: 'command',
        id,
        command: cutText(unwrapShell(text(item.command))),
        cwd: textOrNull(item.cwd),
        output: outputOf(item),
        exit_code: numberOrNull(item.exitCode),
        status: statusOf(item, done),
        ms: numberOrNull(item.durationMs),
      };
    case 'fileChange':
      return {
        ev: 'file_change',
        id,
        changes: list(item.changes).map((change) => fileChange(loose(change))),
        status: statusOf(item, done),
      };
    case 'dynamicToolCall':
    case 'mcpToolCall':
      return toolCall(id, item);
    case 'webSearch': {
      const [input, ms] = [cutText(text(item.query)), numberOrNull(item.durationMs)];
      return {ev: 'tool', id, name: 'web search', input, result: null, ok: done || null, ms};
    }
    case 'enteredReviewMode':
    case 'exitedReviewMode':
    case 'contextCompaction':
      return {ev: 'notice', level: 'info', text: `agent: ${text(item.type)}`};
    default:
      return null; // a user message repeats the prompt
  }
}

function statusOf({status}: Loose, done: boolean): ItemStatus {
  if (status === 'failed' || status === 'declined' || status === 'completed') return status;
  return done ? 'completed' : 'running';
}

function reasoningOf(item: Loose): string {
  const parts = [...list(item.summary), ...list(item.content)];
  return parts.map((part) => text(part) || text(loose(part).text)).join('\n\n');
}

function outputOf(item: Loose): string | null {
  const output = textOrNull(item.aggregatedOutput);
  return output === null ? null : cutText(plain(output));
}

/** `/bin/bash -lc 'git status'` is read as `git status`. */
export function unwrapShell(commandLine: string): string {
  const quoted = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c '([\s\S]*)'$/.exec(commandLine)?.[1];
  return quoted === undefined ? commandLine : quoted.replaceAll(`'\\''`, `'`);
}

function fileChange(change: Loose): FileChange {
  const kind = loose(change.kind).type ?? change.kind;
  return {
    path: text(change.path),
    kind: kind === 'add' || kind === 'delete' ? kind : 'update',
    diff: cutText(text(change.diff)),
  };
}

function toolCall(id: string, item: Loose): AgentLine {
  const place = textOrNull(item.namespace) ?? textOrNull(item.server);
  const name = [place, text(item.tool)].filter((part) => part !== null).join('.');
  const failed = item.success === false || item.status === 'failed';
  const ended = failed || item.success === true || item.status === 'completed';
  const contents = list(item.contentItems ?? loose(item.result).content);
  const said = contents.map((part) => text(loose(part).text) || shown(part)).join('\n');
  const error = shown(loose(item.error).message ?? item.error);
  return {
    ev: 'tool',
    id,
    name,
    input: cutText(shown(item.arguments)),
    result: cutText(said || error) || null,
    ok: ended ? !failed : null,
    ms: numberOrNull(item.durationMs),
  };
}
