import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {access} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aCleaning, anAttempt, aWorkspace} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

export const run = promisify(execFile);

export const AUTHOR = 'git config user.email a@example.test && git config user.name A';
export const COMMIT = `${AUTHOR} && echo work > work.txt && git add work.txt && git commit -qm work`;

/** A bare repository with one commit, where an operator's pushes would go. */
export async function anOrigin(folder: string): Promise<string> {
  const origin = join(folder, 'origin.git');
  const seed = join(folder, 'seed');
  const script = `git init -q --bare -b main '${origin}' && git init -q -b main '${seed}' && cd '${seed}' &&
    ${AUTHOR} && echo '*.log' > .gitignore && echo one > one && git add -A && git commit -qm one &&
    git push -q '${origin}' main`;
  await run('sh', ['-c', script]);
  return origin;
}

/** One run whose agent does this, in a workspace that `after_create` has filled. */
export async function agentRuns(folder: string, script: string, after_create: string | null) {
  await using puppet = await AgentPuppet.listen();
  const hooks = {after_create};
  const job = anAttempt(folder, {agent: {command: puppet.command}, hooks});
  await using runner = new RunnerRig(job);
  const turn = await puppet.nextTurn();
  const {exitCode, output} = await turn.runs(script);
  assert.equal(exitCode, 0, output);
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
}

export async function clean(folder: string, keep_work = true) {
  const workspaces = [{...aWorkspace(folder), keep_work}];
  const hooks = {before_remove: 'touch ../../before_remove'};
  await using runner = new RunnerRig(aCleaning(folder, {workspaces, hooks}));
  const {outcomes} = await runner.heard('cleaned');
  await runner.exited;
  return outcomes[0];
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
