import {delimiter} from 'node:path';
import type {AttemptJob, Issue} from '@symphony-supervisor/protocol';

export type Environment = Readonly<Record<string, string>>;

/** The part of the environment that an agent may see. */
const AGENT_NAMES = new Set([
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH', 'LANG', 'TZ', 'TERM'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS'],
]);
const AGENT_PREFIXES = [
  ...['LC_', 'XDG_', 'SSL_CERT_', 'GIT_AUTHOR_', 'GIT_COMMITTER_'],
  // Exported bash functions, such as `module` on a cluster.
  'BASH_FUNC_',
];
/** It contains sockets of the user's session. As with `SSH_AUTH_SOCK`, which is not listed, an agent could act as the user. */
const NOT_BY_PREFIX = new Set(['XDG_RUNTIME_DIR']);
/** Only those of this run: variables of an outer supervisor would describe another run. */
const OURS = 'SYMPHONY_';
/**
 * An outermost bash whose input is a socket assumes a remote login and reads ~/.bashrc, and with it secrets that
 * were removed. Agents give their commands such an input.
 */
const SHLVL = '1';
const NAMED_IN_COMMAND = /\$\{?([A-Za-z_][A-Za-z0-9_]*)/g;

/** Hooks are the owner's scripts: they get everything except the tracker's secrets. */
export function hookEnvironment(
  base: Environment,
  secretNames: readonly string[],
  symphony: Environment,
): Environment {
  return {...pick(base, (name) => !secretNames.includes(name)), ...symphony};
}

export function agentEnvironment(
  base: Environment,
  job: Pick<AttemptJob, 'secret_names' | 'agent_env' | 'agent'>,
  symphony: Environment,
  tmpDir: string,
  agentPrefixes: readonly string[],
): Environment {
  const prefixes = [...AGENT_PREFIXES, ...agentPrefixes];
  const asked = new Set(job.agent_env);
  for (const [, name] of job.agent.command.matchAll(NAMED_IN_COMMAND)) asked.add(name ?? '');
  const allowed = (name: string): boolean =>
    !job.secret_names.includes(name) &&
    (asked.has(name) || (asked.has('*') ? !name.startsWith(OURS) : isListed(name, prefixes)));
  return {...pick(base, allowed), ...symphony, TMPDIR: tmpDir, SHLVL};
}

function isListed(name: string, prefixes: readonly string[]): boolean {
  if (AGENT_NAMES.has(name)) return true;
  return !NOT_BY_PREFIX.has(name) && prefixes.some((prefix) => name.startsWith(prefix));
}

/** The variables of the run for hooks and agents. */
export function symphonyVariables(
  runId: string,
  issue: Issue,
  workspacePath: string,
  attempt: number | null,
): Environment {
  return {
    SYMPHONY_RUN_ID: runId,
    SYMPHONY_ISSUE_ID: text(issue.id),
    SYMPHONY_ISSUE_IDENTIFIER: text(issue.identifier),
    SYMPHONY_ISSUE_TITLE: text(issue.title),
    SYMPHONY_ISSUE_STATE: text(issue.state),
    SYMPHONY_ISSUE_URL: text(issue.url ?? ''),
    SYMPHONY_WORKSPACE: workspacePath,
    SYMPHONY_ATTEMPT: attempt === null ? '' : String(attempt),
  };
}

/**
 * Git searches all parent folders for a repository. Not the root: a folder beside a workspace may belong to
 * another agent.
 */
export function gitCeiling(base: Environment, root: string): Environment {
  const name = 'GIT_CEILING_DIRECTORIES';
  const given = base[name] ?? '';
  return {[name]: given === '' ? root : `${given}${delimiter}${root}`};
}

/** An environment cannot contain a NUL byte; Node refuses to start a process with one. */
function text(value: string): string {
  return value.replaceAll('\0', '');
}

function pick(base: Environment, wanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(base).filter(([name]) => wanted(name)));
}
