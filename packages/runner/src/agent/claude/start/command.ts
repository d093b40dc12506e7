import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {Environment} from '../../../job/environment.ts';
import type {SessionOptions} from '../../agent.ts';
import {rightsOf} from './rights.ts';

type ClaudeJob = AgentJobOf<'claude'>;
type Options = Pick<SessionOptions, 'job' | 'cwd' | 'env' | 'gitDirs'>;

/** The server in its own pipe that offers the tools of the run. */
export const TOOL_SERVER = 'symphony';

/** A conversation that begins, or one that goes on. */
export type Conversation = {readonly id: string; readonly is: 'new' | 'resumed'};

/**
 * A repository must not run code through us: without a trust dialog, which there is none of here, hooks in
 * `.claude/settings.json` and servers in `.mcp.json` are started before the first request to the model.
 */
const OWN_SETTINGS_ONLY = ['--setting-sources', 'user', '--strict-mcp-config'];
const STREAMS = [
  ...['-p', '--verbose', '--output-format', 'stream-json', '--input-format', 'stream-json'],
  ...OWN_SETTINGS_ONLY,
];

/** The command of a session, for a shell: what the workflow says, followed by our flags. */
export function sessionCommand(
  job: ClaudeJob,
  options: Options,
  conversation: Conversation,
  isSandboxed: boolean,
): string {
  const {allowed, disallowed, settings} = rightsOf(job, options, isSandboxed);
  const tools = options.job.tools.length > 0 ? [`mcp__${TOOL_SERVER}`] : [];
  return commandOf(job, [
    ...(conversation.is === 'new' ? ['--session-id'] : ['--resume']),
    conversation.id,
    ...(tools.length > 0 ? ['--mcp-config', toolServer()] : []),
    ...['--permission-prompt-tool', 'stdio', '--permission-mode', job.permission_mode],
    ...list('--allowedTools', [...allowed, ...tools, ...job.allowed_tools]),
    ...list('--disallowedTools', [...disallowed, ...job.disallowed_tools]),
    ...['--settings', JSON.stringify(settings)],
    // Its CLAUDE.md is read from folders that are added, not from the repository's own settings.
    ...['--add-dir', options.cwd],
    '--forward-subagent-text',
    ...modelOf(job),
  ]);
}

/** The command of a probe: no conversation and no tools, but what a session could be refused for. */
export function probeCommand(
  job: ClaudeJob,
  options: Pick<Options, 'gitDirs' | 'env'>,
  isSandboxed: boolean,
): string {
  const {settings} = rightsOf(job, options, isSandboxed);
  return commandOf(job, [
    '--no-session-persistence',
    ...['--permission-mode', job.permission_mode, '--settings', JSON.stringify(settings)],
    ...modelOf(job),
  ]);
}

function modelOf({model, effort}: ClaudeJob): string[] {
  const flags = Object.entries({'--model': model, '--effort': effort});
  return flags.flatMap(([flag, value]) => (value === null ? [] : [flag, value]));
}

function commandOf(job: ClaudeJob, flags: readonly string[]): string {
  return [job.command, ...[...STREAMS, ...flags].map(quoted)].join(' ');
}

/** `alwaysLoad`: without it the model has to search for a tool before it knows that there is one. */
function toolServer(): string {
  const server = {type: 'sdk', name: TOOL_SERVER, alwaysLoad: true};
  return JSON.stringify({mcpServers: {[TOOL_SERVER]: server}});
}

function list(flag: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [flag, ...values];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Of a session that this supervisor may itself run in: they would tie the agent to that one. */
const OF_ANOTHER_SESSION = /^CLAUDE_CODE_(SESSION_ID|SSE_PORT|ENTRYPOINT|MESSAGING_\w+)$/;

export function environmentOf(job: ClaudeJob, given: Environment): Environment {
  const kept = Object.entries(given).filter(([name]) => !OF_ANOTHER_SESSION.test(name));
  return {
    ...{DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1'},
    ...Object.fromEntries(kept),
    CLAUDE_CODE_MAX_RETRIES: String(job.max_retries),
    // A refusal to start is told as a message, with its reason.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
  };
}
