import {Tail} from '@symphony-supervisor/protocol';
import {hookEnvironment} from '../../job/environment.ts';
import {describeExit, type Step} from '../../processes/run-processes.ts';
import type {Look} from '../work.ts';
import type {PrivateGit} from './private-git.ts';

/** The commits of a remote, or why it could not be read. */
export type RemoteAnswer =
  | {readonly ok: true; readonly commits: readonly string[]}
  | {readonly ok: false; readonly why: string};

const ANSWER_MS = 30_000;
const KILL_GRACE_MS = 1000;
/** Some hundred thousand refs; the rest of a longer list is not read. */
const LONGEST_ANSWER_BYTES = 64 * 1024 * 1024;
const SAID_BYTES = 500;

/**
 * The commits that a remote's refs point to. It is queried like a hook would: with a login shell and the
 * operator's configuration and keys; but in the private folder, so that the workspace has no influence.
 */
export async function askRemote(
  url: string,
  git: PrivateGit,
  {job, resources}: Look,
): Promise<RemoteAnswer> {
  const env = hookEnvironment(resources.environment, job.secret_names, {
    GIT_DIR: git.dir,
    // git must not ask for a password.
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: resources.environment.GIT_SSH_COMMAND ?? 'ssh -o BatchMode=yes',
    SYMPHONY_REMOTE: url,
  });
  const script = 'exec git ls-remote -- "$SYMPHONY_REMOTE"';
  const step = resources.processes.start({shell: 'sh', script, cwd: git.dir, env});
  const answer = collect(step);
  try {
    return await resources.stop.orStopped(answer);
  } finally {
    await resources.processes.endStep(step, resources.stop.stepLimit(KILL_GRACE_MS));
  }
}

async function collect(step: Step): Promise<RemoteAnswer> {
  const chunks: Buffer[] = [];
  const said = new Tail(SAID_BYTES);
  let bytes = 0;
  step.child.stdin.end();
  step.child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const read = (async () => {
    for await (const chunk of step.child.stdout) {
      bytes += (chunk as Buffer).length;
      if (bytes > LONGEST_ANSWER_BYTES) return `the remote listed more than ${bytes} bytes`;
      chunks.push(chunk as Buffer);
    }
    const exit = await step.exited;
    if (exit.is === 'exit' && exit.code === 0) return null;
    const words = withoutPassword(said.text().trim().replaceAll('\n', ' '));
    return `the remote cannot be read: ${words === '' ? describeExit(exit) : words}`;
  })();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(
      resolve,
      ANSWER_MS,
      `the remote did not respond within ${ANSWER_MS / 1000} s`,
    );
  });
  const why = await Promise.race([read, late]).finally(() => clearTimeout(timer));
  if (why !== null) return {ok: false, why};
  const lines = Buffer.concat(chunks).toString('utf8').split('\n');
  const commits = lines.map((line) => line.split('\t')[0] ?? '').filter((sha) => sha !== '');
  return {ok: true, commits};
}

/** Git repeats the address, which may contain a token. */
function withoutPassword(words: string): string {
  return words.replace(/:\/\/[^\s/@]+@/g, '://***@');
}
