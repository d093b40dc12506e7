import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {Environment} from '../../job/environment.ts';
import type {McpServerEntry} from './tools.ts';

type AcpJob = AgentJobOf<'acp'>;

/** How an agent that was measured is treated, beyond the protocol. */
export interface Preset {
  /**
   * Names in a repository, in lower case, by which it brings code that the agent runs. Where the agent has a switch
   * against such configuration there are none.
   */
  readonly configuration: readonly string[];
  /** Variables beside those that every agent gets. */
  readonly environment: (job: AcpJob) => Environment;
  /** Fields that the agent takes beyond the protocol when a conversation is opened. */
  readonly opening: (job: AcpJob, servers: readonly McpServerEntry[]) => object;
  /** The mode of a conversation, where the workflow names none. */
  readonly mode: string | null;
}

const UNKNOWN: Preset = {
  configuration: [],
  environment: () => ({}),
  opening: () => ({}),
  mode: null,
};

const PRESETS: Readonly<Record<NonNullable<AcpJob['preset']>, Preset>> = {
  opencode: {
    ...UNKNOWN,
    // Plugins, tools, commands, agents and tool servers. Its own switch against them also hides AGENTS.md.
    configuration: ['opencode.json', 'opencode.jsonc', '.opencode'],
    environment: (job) => ({
      // An update in the middle of a run would be another agent than the one that was checked.
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      ...(isAsked(job) ? {OPENCODE_PERMISSION: ASKS_FOR_ALL} : {}),
    }),
  },
  'claude-agent-acp': {
    ...UNKNOWN,
    opening: ({trust_repository: isTrusted}, servers) => ({
      mcpServers: servers.filter((server) => !('url' in server)),
      _meta: {
        claudeCode: {
          options: {
            ...VERBATIM,
            ...(isTrusted ? {} : OF_THE_USER_ALONE),
            mcpServers: Object.fromEntries(servers.flatMap(alwaysLoaded)),
          },
        },
      },
    }),
    // Not the one that settings of the repository name.
    mode: 'default',
  },
};

/** Otherwise `@/etc/passwd` in the text of an issue attaches that file. */
const VERBATIM = {verbatimPrompts: true};
/** Settings of the repository can hold hooks, and its .mcp.json servers; both would be run without a question. */
const OF_THE_USER_ALONE = {settingSources: ['user'], strictMcpConfig: true};

/** An entry in the agent's own words: in those of the protocol its tools would be hidden behind a search for tools. */
function alwaysLoaded(server: McpServerEntry): [string, object][] {
  if (!('url' in server)) return [];
  const headers = Object.fromEntries(server.headers.map(({name, value}) => [name, value]));
  return [[server.name, {type: 'http', url: server.url, headers, alwaysLoad: true}]];
}

/** By itself it asks for nothing within the workspace, so there would be nothing to refuse. */
const ASKS_FOR_ALL = JSON.stringify({'*': 'ask'});

export function presetOf({preset}: AcpJob): Preset {
  return preset === null ? UNKNOWN : PRESETS[preset];
}

/** Whether anything that the agent wants to do is for us to decide. */
function isAsked({access, permissions}: AcpJob): boolean {
  return access !== 'write' || permissions === 'ask';
}
