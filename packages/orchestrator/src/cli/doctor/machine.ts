import {type Check, fail, ok, warn} from './check.ts';
import {tryCommand} from './command.ts';

const LIMIT_MS = 10_000;
const LEAST_NODE = [20, 19] as const;
/** Every agent and every hook is started by a login shell, so its profile is paid each time. */
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
    'install git: workspaces are usually clones, and evidence is taken by it',
  );
}

export async function checkShell(): Promise<Check> {
  const {ok: isThere, said, tookMs} = await tryCommand('bash', ['-lc', 'true'], LIMIT_MS);
  const took = `bash -lc true took ${Math.round(tookMs)} ms`;
  if (!isThere) {
    return fail('login shell', `bash -lc true failed: ${said}`, 'install bash, or mend ~/.profile');
  }
  if (tookMs < SLOW_PROFILE_MS) return ok('login shell', took);
  return warn(
    'login shell',
    took,
    'make ~/.profile and what it loads faster: it is paid with each run',
  );
}
