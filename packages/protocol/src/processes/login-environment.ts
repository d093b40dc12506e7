import {type ChildProcess, spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {endProcesses} from './end.ts';
import {identify} from './identity.ts';

export interface LoginOptions {
  /** The environment with which the login shell starts. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Removed from both the profile's environment and the result. */
  readonly secretNames: readonly string[];
  /** Ends the login shell; the call then fails. */
  readonly signal?: AbortSignal;
  readonly limitMs?: number;
  readonly graceMs?: number;
}

export type LoginReading = {readonly tookMs: number; readonly profile: string} & (
  | {readonly ok: true; readonly variables: Readonly<Record<string, string>>}
  | {readonly ok: false; readonly reason: string}
);

const LIMIT_MS = 10_000;
/** A profile that holds a lock releases it in an EXIT trap. SIGKILL would leave the lock to every later login. */
const GRACE_MS = 5_000;
/** The shell has exited; what it wrote is in the pipe. A daemon of the profile may hold the pipe open. */
const DRAIN_MS = 500;
/** Beyond it no process can be started: Linux takes 2 MB of arguments and environment. */
const MAX_BYTES = 1024 * 1024;
/** Variables of the login shell itself. */
const OF_THE_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/**
 * On a descriptor of its own, because profiles print. The empty entry marks the end. No `exec` and no `exit`: the
 * first would skip EXIT traps, the second would run ~/.bash_logout.
 */
const SCRIPT = `env -0 >&3 && printf '\\000' >&3`;
const END = '\0\0';

/**
 * Runs the login shell once and returns the environment that its profile makes. Never rejects. Stdout and stderr of
 * the profile are discarded: under `set -x` they hold every secret that it exports.
 */
export async function readLoginEnvironment(options: LoginOptions): Promise<LoginReading> {
  const startedAt = performance.now();
  const home = options.environment.HOME ?? homedir();
  let outcome = await runShell('bash', home, options);
  let shell: Shell = 'bash';
  if (outcome === 'no-such-shell') {
    shell = 'sh';
    outcome = await runShell(shell, home, options);
  }
  const about = {
    tookMs: Math.round(performance.now() - startedAt),
    profile: profileOf(shell, home),
  };
  if (outcome === 'no-such-shell') {
    return {ok: false, reason: 'there is neither bash nor sh in PATH', ...about};
  }
  if ('reason' in outcome) return {ok: false, reason: outcome.reason, ...about};
  const dropped = new Set([...OF_THE_SHELL, ...options.secretNames]);
  return {ok: true, variables: parse(outcome.text, dropped), ...about};
}

type Shell = 'bash' | 'sh';
type Outcome = {readonly text: string} | {readonly reason: string} | 'no-such-shell';

async function runShell(shell: Shell, home: string, options: LoginOptions): Promise<Outcome> {
  const {environment, secretNames, signal, limitMs = LIMIT_MS, graceMs = GRACE_MS} = options;
  if (signal?.aborted) return {reason: 'it was not started'};
  const visible = Object.entries(environment).filter(([name]) => !secretNames.includes(name));
  const child = spawn(shell, ['-lc', SCRIPT], {
    cwd: existsSync(home) ? home : '/',
    env: Object.fromEntries(visible),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    // A session of its own: a Ctrl-C at the terminal is for us, and the profile cannot ask the terminal anything.
    detached: true,
  });
  const root = child.pid === undefined ? null : identify(child.pid);
  const exited = exitOf(child);
  const output = collect(child);
  const end = await firstOf(exited, output.overflowed, limitMs, signal);
  // By descent alone: an ssh-agent that the profile has started belongs to the user.
  if (root !== null && typeof end === 'string') {
    await endProcesses({roots: [root], markers: [], except: []}, graceMs);
  }
  await output.drained();
  output.close();
  if (typeof end === 'object' && end.error !== null) {
    const isMissing = 'code' in end.error && end.error.code === 'ENOENT';
    return isMissing ? 'no-such-shell' : {reason: end.error.message};
  }
  const text = output.text();
  if (end !== 'overflow' && text.endsWith(END)) return {text};
  if (end === 'timeout') return {reason: `it did not end within ${limitMs / 1000} s`};
  if (end === 'overflow') return {reason: `its environment has more than ${MAX_BYTES} bytes`};
  if (end === 'aborted') return {reason: 'it was stopped'};
  return {reason: `it ended with ${end.how} before it printed the environment`};
}

interface Exit {
  readonly how: string;
  readonly error: Error | null;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({how: error.message, error}));
    child.on('exit', (code, signal) =>
      resolve({how: signal === null ? `exit code ${code}` : `signal ${signal}`, error: null}),
    );
  });
}

async function firstOf(
  exited: Promise<Exit>,
  overflowed: Promise<'overflow'>,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Exit | 'overflow' | 'timeout' | 'aborted'> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(resolve, limitMs, 'timeout');
  });
  const aborted = new Promise<'aborted'>((resolve) => {
    onAbort = () => resolve('aborted');
    signal?.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([exited, overflowed, timeout, aborted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** What the shell writes to our descriptor. */
function collect(child: ChildProcess) {
  const pipe = child.stdio[3];
  const chunks: Buffer[] = [];
  let size = 0;
  let overflow = (): void => {};
  let wake = (): void => {};
  let isClosed = false;
  const overflowed = new Promise<'overflow'>((resolve) => {
    overflow = () => resolve('overflow');
  });
  const text = (): string => Buffer.concat(chunks).toString('utf8');
  pipe?.on('error', () => {});
  pipe?.on('close', () => {
    isClosed = true;
    wake();
  });
  pipe?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BYTES) overflow();
    else chunks.push(chunk);
    wake();
  });
  return {
    overflowed,
    text,
    async drained(): Promise<void> {
      const deadline = performance.now() + DRAIN_MS;
      while (!isClosed && !text().endsWith(END) && performance.now() < deadline) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, deadline - performance.now());
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    close(): void {
      if (pipe !== null && pipe !== undefined && 'destroy' in pipe) pipe.destroy();
    },
  };
}

/** Exported functions are entries like all others: `BASH_FUNC_name%%=() { … }`, in several lines. */
function parse(text: string, dropped: ReadonlySet<string>): Record<string, string> {
  const entries = text.split('\0').flatMap((entry): [string, string][] => {
    const at = entry.indexOf('=');
    const name = entry.slice(0, at);
    return at <= 0 || dropped.has(name) ? [] : [[name, entry.slice(at + 1)]];
  });
  return Object.fromEntries(entries);
}

/** The profile that the shell reads first, for the message. */
function profileOf(shell: Shell, home: string): string {
  const names = shell === 'bash' ? ['.bash_profile', '.bash_login', '.profile'] : ['.profile'];
  const found = names.map((name) => join(home, name)).find((path) => existsSync(path));
  return found ?? '/etc/profile';
}

/** The message for an operator about a failed reading. */
export function describeLoginFailure({
  profile,
  tookMs,
  reason,
}: Extract<LoginReading, {ok: false}>): string {
  return `the environment of the login profile (${profile}) could not be read (${tookMs} ms): ${reason}`;
}
