import {
  type AgentLine,
  cutText,
  type FileChange,
  type Loose,
  list,
  loose,
  plain,
  shown,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';
import {TOOL_SERVER} from '../start/command.ts';

/** A call of a tool that waits for its result. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Loose;
}

/** What came of it. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
  /** It was not carried out. */
  readonly isRefused: boolean;
  /** The tool's own form of its output; none for a failed call. */
  readonly output: Loose;
}

const EDITS = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'];
/** Shown in another way: as a plan, or as a question. */
const SHOWN_ELSEWHERE = [
  'TodoWrite',
  'TaskCreate',
  'TaskUpdate',
  'TaskList',
  'TaskGet',
  'AskUserQuestion',
];

/** A call of a tool for the transcript; null for those that are shown in another way. */
export function toolLine(call: ToolCall, outcome: ToolOutcome | null): AgentLine | null {
  if (SHOWN_ELSEWHERE.includes(call.name)) return null;
  if (call.name === 'Bash') return commandLine(call, outcome);
  if (EDITS.includes(call.name)) return fileLine(call, outcome);
  return {
    ev: 'tool',
    id: call.id,
    name: shownName(call.name),
    input: cutText(shown(call.input)),
    result: outcome === null ? null : cutText(outcome.text) || null,
    ok: outcome === null ? null : !outcome.isError,
    ms: null,
  };
}

export function outcomeOf(block: Loose, message: Loose): ToolOutcome {
  const meta = list(message.tool_result_meta).map(loose);
  const own = meta.find(({id}) => id === block.tool_use_id);
  return {
    text: resultText(block.content),
    isError: block.is_error === true,
    isRefused: own?.non_execution_kind !== undefined,
    output: loose(message.tool_use_result),
  };
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => text(loose(part).text) || `[${text(loose(part).type)}]`)
    .join('\n');
}

function statusOf(outcome: ToolOutcome | null) {
  if (outcome === null) return 'running';
  if (outcome.isRefused) return 'declined';
  return outcome.isError ? 'failed' : 'completed';
}

function commandLine(call: ToolCall, outcome: ToolOutcome | null): AgentLine {
  const {stdout, stderr} = outcome?.output ?? {};
  const streams = [stdout, stderr].map(textOrNull).filter((stream) => stream !== null);
  const printed = streams.length > 0 ? streams.join('\n') : (outcome?.text ?? null);
  const exit = /^Exit code (\d+)\n?/.exec(printed ?? '');
  const isOver = outcome !== null && !outcome.isError;
  return {
    ev: 'command',
    id: call.id,
    command: cutText(text(call.input.command)),
    cwd: null,
    output: printed === null ? null : cutText(plain(printed.slice(exit?.[0].length ?? 0))),
    exit_code: exit === null ? (isOver ? 0 : null) : Number(exit[1]),
    status: statusOf(outcome),
    ms: null,
  };
}

function fileLine(call: ToolCall, outcome: ToolOutcome | null): AgentLine {
  const {input} = call;
  const path = text(input.file_path) || text(input.notebook_path);
  const isNew = outcome?.output.type === 'create' || outcome?.output.originalFile === null;
  const change: FileChange = {
    path,
    kind: isNew ? 'add' : 'update',
    diff: cutText(diffOf(call, outcome, isNew)),
  };
  return {ev: 'file_change', id: call.id, changes: [change], status: statusOf(outcome)};
}

function diffOf({input}: ToolCall, outcome: ToolOutcome | null, isNew: boolean): string {
  const content = text(input.content);
  if (isNew) return content;
  const hunks = list(outcome?.output.structuredPatch).map((hunk) => hunkText(loose(hunk)));
  if (hunks.length > 0) return hunks.join('');
  const edits = [input, ...list(input.edits).map(loose)];
  const wanted = edits.flatMap((edit) => [
    ...marked('-', text(edit.old_string)),
    ...marked('+', text(edit.new_string)),
  ]);
  return wanted.length > 0 ? `${wanted.join('\n')}\n` : content || text(input.new_source);
}

function hunkText({oldStart, oldLines, newStart, newLines, lines}: Loose): string {
  const head = `@@ -${Number(oldStart)},${Number(oldLines)} +${Number(newStart)},${Number(newLines)} @@`;
  return `${[head, ...list(lines).map(text)].join('\n')}\n`;
}

function marked(mark: string, value: string): string[] {
  return value === ''
    ? []
    : value
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${mark}${line}`);
}

/** `mcp__symphony__update_issue` is read as `update_issue`, a tool of another server as `server.tool`. */
export function shownName(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server === undefined || tool === undefined) return name;
  return server === TOOL_SERVER ? tool : `${server}.${tool}`;
}
