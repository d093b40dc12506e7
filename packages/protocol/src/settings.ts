import type {AgentAccess, AgentOptions} from './agents/agent-job.ts';
import type {SecretRef} from './tracker-profile.ts';

/** One project's settings: resolved once from a workflow file, readonly, passed on whole. */
export interface Settings {
  /** The project's name. */
  readonly name: string;
  readonly tracker: TrackerSettings;
  readonly polling: {readonly intervalMs: number};
  readonly workspace: WorkspaceSettings;
  readonly hooks: HookSettings;
  readonly agent: AgentSettings;
  readonly server: ServerSettings;
  readonly logs: LogSettings;
}

export interface TrackerSettings {
  readonly kind: string;
  /** The adapter's own keys, with paths resolved and secrets taken out. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** By provider key. References, not values, except where the file itself holds the value. */
  readonly secrets: Readonly<Record<string, SecretRef>>;
  /** Variables that no child process may see, whether or not they are in use. */
  readonly secretNames: readonly string[];
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly unstartedStates: readonly string[];
  /** Trimmed and lower-cased; a blank entry stays, and matches nothing. */
  readonly requiredLabels: readonly string[];
  readonly excludedLabels: readonly string[];
  readonly inProgressState: string | null;
  readonly handoffState: string | null;
}

export interface WorkspaceSettings {
  readonly root: string;
  /** A workspace with work that is nowhere else outlives its issue. */
  readonly keepUnpushed: boolean;
}

export interface HookSettings {
  readonly afterCreate: string | null;
  readonly beforeRun: string | null;
  readonly afterRun: string | null;
  readonly deliver: string | null;
  readonly beforeRemove: string | null;
  readonly timeoutMs: number;
}

export interface AgentSettings {
  readonly command: string;
  readonly model: string | null;
  readonly effort: string | null;
  readonly access: AgentAccess;
  readonly turnTimeoutMs: number;
  readonly readTimeoutMs: number;
  /** 0 or less: never. */
  readonly stallTimeoutMs: number;
  readonly onInput: 'hold' | 'fail';
  /** Its kind, and what only that kind knows, as it crosses to the runner. */
  readonly options: AgentOptions;
  readonly maxConcurrentAgents: number;
  /** By state, trimmed and lower-cased. */
  readonly maxConcurrentAgentsByState: Readonly<Record<string, number>>;
  readonly maxTurns: number;
  readonly maxRetryBackoffMs: number;
  /** 0 is no limit, here and below. */
  readonly maxConsecutiveFailures: number;
  readonly maxRuns: number;
  readonly maxTokens: number;
  readonly maxIdleRuns: number;
  readonly maxIdleTurns: number;
  /** Names of further variables for the agent; `*` is all. */
  readonly env: readonly string[];
  readonly shell: ShellMode;
}

/** `plain`: with an environment that was read from a login shell before. `login`: by a login shell each time. */
export type ShellMode = 'plain' | 'login';

export interface ServerSettings {
  /** null: no fixed port. 0: any free one. */
  readonly port: number | null;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  /** On loopback, reading needs no token. */
  readonly publicRead: boolean;
  /** A listener for webhooks alone; null: they come to `port`. */
  readonly webhookPort: number | null;
  readonly webhookHost: string;
}

export interface LogSettings {
  readonly maxRunBytes: number;
  readonly maxTotalBytes: number;
}

export type PromptEngine = 'mustache' | 'liquid';

/** The prompt travels with the settings: they always change together. */
export interface Prompt {
  readonly template: string;
  /** null: told from the text. */
  readonly engine: PromptEngine | null;
  /** The file that it is in, as the workflow file names it; absent: the workflow file itself. */
  readonly file?: string | undefined;
}

/** Who takes an issue on: the settings of the file with some of them overridden. */
export interface Role {
  readonly name: string;
  /** null: no issue is given to it. */
  readonly when: DispatchRule | null;
  readonly agent: AgentSettings;
  readonly prompt: Prompt;
}

/** Which issues a role takes: every key that is not null must fit, and of a list any entry. */
export interface DispatchRule {
  /** Trimmed and lower-cased; a blank entry matches nothing. */
  readonly labels: readonly string[] | null;
  /** Trimmed and lower-cased. */
  readonly states: readonly string[] | null;
  readonly priority: readonly number[] | null;
  /** Parts of a title, lower-cased. */
  readonly title: readonly string[] | null;
}

export interface Workflow {
  readonly path: string;
  readonly settings: Settings;
  readonly prompt: Prompt;
  /** In the order of the file; absent: it has none. */
  readonly roles?: readonly Role[];
}
