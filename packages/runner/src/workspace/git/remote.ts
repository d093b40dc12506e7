import {hookEnvironment} from '../../job/environment.ts';
import {describeExit} from '../../processes/run-processes.ts';
import type {Look} from '../work.ts';
import {type GitAnswer, isSuccess, readAnswer, withoutPassword} from './git-answer.ts';
import type {PrivateGit} from './private-git.ts';

/** The commits of a remote, or why it could not be read. */
export type RemoteAnswer =
  | {readonly ok: true; readonly commits: readonly string[]}
  | {readonly ok: false; readonly why: string};

const KILL_GRACE_MS = 1000;
/** Some hundred thousand refs; the rest of a longer list is not read. */
const LIMITS = {answerMs: 30_000, mostBytes: 64 * 1024 * 1024, saidBytes: 500};

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
  const answer = readAnswer(step, '', LIMITS).then(asRemoteAnswer);
  try {
    return await resources.stop.orStopped(answer);
  } finally {
    await resources.processes.endStep(step, resources.stop.stepLimit(KILL_GRACE_MS));
  }
}

function asRemoteAnswer(answer: GitAnswer): RemoteAnswer {
  const why = failureOf(answer);
  if (why !== null) return {ok: false, why};
  const lines = answer.stdout.toString('utf8').split('\n');
  const commits = lines.map((line) => line.split('\t')[0] ?? '').filter((sha) => sha !== '');
  return {ok: true, commits};
}

function failureOf(answer: GitAnswer): string | null {
  if (isSuccess(answer)) return null;
  const {end, said} = answer;
  if (end === 'late') return `the remote did not respond within ${LIMITS.answerMs / 1000} s`;
  if (end === 'too-long') return `the remote listed more than ${LIMITS.mostBytes} bytes`;
  const words = withoutPassword(said.trim().replaceAll('\n', ' '));
  return `the remote cannot be read: ${words === '' ? describeExit(end) : words}`;
}
