import {describeLoginFailure, type LoginReading} from '@symphony-supervisor/protocol/processes';
import {type Check, fail, ok, warn} from './check.ts';
import {tryCommand} from './command.ts';

const LIMIT_MS = 10_000;
const LEAST_NODE = [20, 19] as const;
const SLOW_PROFILE_MS = 1000;

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least, leastMinor] = LEAST_NODE;
  if (major > least || (major === least && minor >= leastMinor)) return ok('node', version);
  return fail('node', version, `install Node ${LEAST_NODE.join('.')} or newer`);
}

export async function checkGit(): Promise<Check> {
  const {ok: isThere, said} = await tryCommand('git', ['--version'], LIMIT_MS);
  if (isThere) return ok('git', said.replace(/^git version /, ''));
  return fail(
    'git',
    said,
    'install git: workspaces are usually clones, and changes are detected with it',
  );
}

export async function checkBash(): Promise<Check | null> {
  const {ok: isThere, said} = await tryCommand('bash', ['-c', 'true'], LIMIT_MS);
  if (isThere) return null;
  return fail('bash', said, 'install bash: agents are started with it');
}

/** The profile is read once at each start of the supervisor, or before every hook and agent (`agent.shell: login`). */
export function checkLogin(reading: LoginReading): Check {
  const {tookMs, profile} = reading;
  if (!reading.ok) {
    const remedy = `fix ${profile}; until then hooks and agents get the supervisor's own environment`;
    return warn('login shell', describeLoginFailure(reading), remedy);
  }
  const took = `the login profile (${profile}) took ${tookMs} ms`;
  if (tookMs < SLOW_PROFILE_MS) return ok('login shell', took);
  return warn('login shell', took, `make ${profile} faster: every start waits for it`);
}
