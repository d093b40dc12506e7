import {uuidV7} from '../ids.ts';
import type {Fields} from '../json.ts';
import type {Shell} from '../shell.ts';
import {approvalPolicy, textOf, threadSandbox, UNTRUSTED} from './params.ts';
import type {ThreadRecord, ThreadStore} from './thread-store.ts';
import {addTokens, NO_TOKENS, type TokenCount} from './tokens.ts';
import type {Turn} from './turn.ts';

/** The version of the real server whose habits are imitated; clients read it from `userAgent`. */
export const AGENT_VERSION = '0.166.0';

/** A command that still runs, possibly longer than its turn. */
export interface Terminal {
  readonly shell: Shell;
  readonly itemId: string;
  readonly command: string;
  readonly cwd: string;
}

/** A conversation that this process has loaded. */
export class Thread {
  readonly record: ThreadRecord;
  readonly terminals = new Set<Terminal>();
  /** What the client accepted for the session and is not asked again. */
  readonly accepted = new Set<string>();
  turn: Turn | null = null;
  readonly #store: ThreadStore;
  #items = 0;

  constructor(record: ThreadRecord, store: ThreadStore) {
    this.record = record;
    this.#store = store;
  }

  get id(): string {
    return this.record.id;
  }

  nextItemId(prefix: 'msg' | 'rs' | 'call'): string {
    return `${prefix}_${++this.#items}`;
  }

  /** Settings named in the params of a start, a resume or a turn; they stick. */
  configure(params: Fields, sandbox: Fields): void {
    const {record} = this;
    if (params.cwd !== undefined && params.cwd !== null) record.cwd = textOf(params, 'cwd');
    record.approvalPolicy = approvalPolicy(params.approvalPolicy, record.approvalPolicy);
    record.sandbox = sandbox;
  }

  add(tokens: TokenCount): void {
    this.record.last = tokens;
    this.record.total = addTokens(this.record.total, tokens);
  }

  save(): void {
    if (this.record.lastTurnId !== null) this.#store.save(this.record);
  }

  killTerminals(): void {
    for (const {shell} of this.terminals) shell.kill();
  }

  /** The `thread` of a response or notification. */
  describe() {
    const {id, cwd, originator, name, preview, createdAt} = this.record;
    return {
      id,
      environments: [{environmentId: 'local', cwd, runtimeWorkspaceRoots: [cwd]}],
      extra: null,
      sessionId: id,
      forkedFromId: null,
      parentThreadId: null,
      preview,
      ephemeral: false,
      section: null,
      sectionEnteredAt: null,
      projectId: null,
      historyMode: 'paginated',
      modelProvider: 'scripted',
      model: 'scripted',
      reasoningEffort: null,
      createdAt,
      updatedAt: createdAt,
      recencyAt: createdAt,
      status: {type: 'idle'},
      path: this.#store.pathOf(id),
      cwd,
      cliVersion: AGENT_VERSION,
      originator,
      source: 'vscode',
      canAcceptDirectInput: true,
      threadSource: null,
      agentNickname: null,
      agentRole: null,
      gitInfo: null,
      name,
      daybreakEnabled: null,
      turns: [],
    };
  }

  /** The result of a start or resume. */
  settings() {
    const {cwd, approvalPolicy, sandbox} = this.record;
    return {
      thread: this.describe(),
      model: 'scripted',
      modelProvider: 'scripted',
      serviceTier: null,
      disabledPluginIds: [],
      cwd,
      runtimeWorkspaceRoots: [cwd],
      instructionSources: [],
      approvalPolicy,
      approvalsReviewer: 'user',
      sandbox,
      activePermissionProfile: null,
      reasoningEffort: null,
      multiAgentMode: 'explicitRequestOnly',
    };
  }
}

export function newThread(params: Fields, originator: string, store: ThreadStore): Thread {
  const thread = new Thread(
    {
      id: uuidV7(),
      createdAt: Math.floor(Date.now() / 1000),
      originator,
      cwd: process.cwd(),
      ...UNTRUSTED,
      dynamicTools: Array.isArray(params.dynamicTools) ? params.dynamicTools : [],
      name: null,
      preview: '',
      total: NO_TOKENS,
      last: NO_TOKENS,
      lastTurnId: null,
    },
    store,
  );
  thread.configure(params, threadSandbox(params.sandbox, UNTRUSTED.sandbox));
  return thread;
}
