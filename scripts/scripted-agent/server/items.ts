/** What a turn is made of. The fields are those of the real server, also where they say nothing. */
export interface Item {
  readonly type: string;
  readonly id: string;
  readonly startedAtMs: number;
  readonly completedAtMs: number | null;
  readonly [field: string]: unknown;
}

function begun() {
  return {startedAtMs: Date.now(), completedAtMs: null};
}

export function userMessage(id: string, content: unknown): Item {
  return {type: 'userMessage', id, clientId: null, content, ...begun()};
}

export function agentMessage(id: string): Item {
  return {
    type: 'agentMessage',
    id,
    text: '',
    phase: null,
    memoryCitation: null,
    delivery: null,
    questions: null,
    ...begun(),
  };
}

export function reasoning(id: string): Item {
  return {type: 'reasoning', id, summary: [], content: [], ...begun()};
}

export function commandExecution(id: string, command: string, cwd: string): Item {
  return {
    type: 'commandExecution',
    id,
    pluginId: null,
    scriptPath: null,
    command: shown(command),
    cwd,
    processId: null,
    source: 'agent',
    status: 'inProgress',
    commandActions: [{type: 'unknown', command}],
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
    ...begun(),
  };
}

/** The command line as the real server shows it. */
function shown(command: string): string {
  return /^[\w./-]+$/.test(command)
    ? `/bin/bash -lc ${command}`
    : `/bin/bash -lc '${command.replaceAll("'", `'"'"'`)}'`;
}

export interface FileChange {
  readonly path: string;
  readonly kind: {readonly type: 'add'} | {readonly type: 'update'; readonly move_path: null};
  readonly diff: string;
}

export function fileChange(id: string, changes: readonly FileChange[]): Item {
  return {type: 'fileChange', id, changes, status: 'inProgress', ...begun()};
}

export interface ToolCall {
  readonly namespace: string | null;
  readonly tool: string;
  readonly arguments: unknown;
}

export function dynamicToolCall(id: string, call: ToolCall): Item {
  return {
    type: 'dynamicToolCall',
    id,
    ...call,
    status: 'inProgress',
    contentItems: null,
    success: null,
    durationMs: null,
    ...begun(),
  };
}
