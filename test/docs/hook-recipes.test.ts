import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {access, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import type {HookSettings} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {aCleaning, anAttempt, aWorkspace} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';
import {readPage} from './reader/markdown.ts';
import {wholeFile, workflowOf} from './reader/workflow-text.ts';

// The recipes of docs/hooks.md as they stand there, run by the real runner against a repository on this disk.

const run = promisify(execFile);
const page = readPage('docs/hooks.md');

function recipe(heading: string) {
  const block = page.blocks.find(({kind, under}) => kind === 'yaml' && under === heading);
  assert.ok(block !== undefined, `docs/hooks.md has no recipe "${heading}"`);
  return jobHooks(workflowOf(wholeFile(block.text)).settings.hooks);
}

function jobHooks(hooks: HookSettings) {
  return {
    after_create: hooks.afterCreate,
    before_run: hooks.beforeRun,
    after_run: hooks.afterRun,
    deliver: hooks.deliver,
    before_remove: hooks.beforeRemove,
  };
}

const ISSUE = anIssue({title: `It's "quoted" $(touch pwned)`, url: 'https://example.test/ABC-1'});
const COMMITS = `echo hello > hello.txt && git add hello.txt && git commit -qm 'Say hello'`;

/** The team's repository, a home folder with what the page says to clone, and a run of the runner. */
async function aTeam() {
  const folder = await aFolder();
  const remote = join(folder.path, 'team', 'repository.git');
  const home = join(folder.path, 'home');
  const env = {
    HOME: home,
    PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`,
    GIT_CONFIG_NOSYSTEM: '1',
    // The page's address leads here.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${join(folder.path, 'team')}/.insteadOf`,
    GIT_CONFIG_VALUE_0: 'git@example.com:team/',
    ...{GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.test'},
    ...{GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.test'},
  };
  const sh = async (script: string, cwd = folder.path) => {
    const {stdout} = await run('sh', ['-ec', script], {cwd, env: {...process.env, ...env}});
    return stdout.trim();
  };
  await mkdir(join(home, 'repositories'), {recursive: true});
  await sh(`git init -q --bare -b main '${remote}'
    git clone -q '${remote}' seed 2>/dev/null && cd seed && git checkout -q -b main
    echo 1 > a.txt && git add . && git commit -qm first && git push -q origin main`);
  return {
    path: folder.path,
    workspace: join(folder.path, 'ws/ABC-1'),
    remote,
    sh,
    remoteLog: (branch: string) => sh(`git -C '${remote}' log --format=%s '${branch}'`),
    async attempt(hooks: ReturnType<typeof jobHooks>, work: string) {
      const script = JSON.stringify([[{run: work}]]);
      await using puppet = await AgentPuppet.listen({args: ['--script-json', script]});
      const job = anAttempt(folder.path, {issue: ISSUE, hooks, agent: {command: puppet.command}});
      // An agent has the variables of its list; those for git's addresses are not among them.
      await using runner = new RunnerRig(job, {}, env);
      const result = await runner.result();
      assert.equal(result.outcome, 'succeeded', JSON.stringify(result));
      assert.deepEqual(
        runner.all('hook_ended').map(({hook, failure}) => failure && `${hook}: ${failure.message}`),
        runner.all('hook_ended').map(() => null),
      );
      return result.links;
    },
    async clean(hooks: ReturnType<typeof jobHooks>) {
      const workspaces = [{...aWorkspace(folder.path, ISSUE), keep_work: true}];
      await using runner = new RunnerRig(aCleaning(folder.path, {workspaces, hooks}), {}, env);
      const cleaned = await runner.heard('cleaned');
      assert.deepEqual(cleaned.outcomes, [{is: 'removed'}]);
      assert.deepEqual(
        runner.all('hook_ended').map(({failure}) => failure),
        [null],
      );
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

test('a clone, with a branch of its own', async () => {
  await using team = await aTeam();
  await team.attempt(recipe('A clone'), COMMITS);
  assert.equal(await team.sh('git branch --show-current', team.workspace), 'agent/ABC-1');
  assert.equal(await team.sh('git log --format=%s', team.workspace), 'Say hello\nfirst');
});

test('a clone takes up the branch of an earlier workspace', async () => {
  await using team = await aTeam();
  await team.sh(`cd seed && git checkout -q -b agent/ABC-1 && git commit -q --allow-empty -m earlier
    git push -q origin agent/ABC-1`);
  await team.attempt(recipe('A clone'), 'true');
  assert.equal(await team.sh('git log --format=%s', team.workspace), 'earlier\nfirst');
});

test('a worktree, and nothing is left of it in the repository afterwards', async () => {
  await using team = await aTeam();
  const repository = join(team.path, 'home/repositories/repository');
  await team.sh(`git clone -q git@example.com:team/repository.git '${repository}'`);
  const hooks = recipe('A worktree');
  await team.attempt(hooks, COMMITS);
  assert.equal(await team.sh('git log --format=%s agent/ABC-1', repository), 'Say hello\nfirst');
  await team.sh('git push -q origin agent/ABC-1', repository);
  await team.clean(hooks);
  assert.equal(await exists(team.workspace), false);
  assert.doesNotMatch(await team.sh('git worktree list', repository), /ABC-1/);
});

/** As the page says, before any run. */
async function cloneToPushFrom(team: Awaited<ReturnType<typeof aTeam>>): Promise<void> {
  const block = page.blocks.find(({kind, under}) => kind === 'sh' && under === 'Delivering');
  assert.ok(block !== undefined);
  await team.sh(block.text);
}

test('pushing runs nothing that an agent put into its repository', async () => {
  await using team = await aTeam();
  await cloneToPushFrom(team);
  const trap = `touch '${join(team.path, 'sprung')}'`;
  const traps = `for hook in pre-push post-checkout reference-transaction pre-auto-gc; do
      printf '#!/bin/sh\\n%s\\n' "${trap}" > .git/hooks/$hook; chmod +x .git/hooks/$hook; done
    for key in core.fsmonitor core.sshCommand core.pager uploadpack.packObjectsHook credential.helper; do
      git config $key "${trap}; false"; done`;
  const hooks = {...recipe('Delivering'), after_create: recipe('A clone').after_create};
  await team.attempt(hooks, `${COMMITS} && ${traps}`);
  assert.equal(await team.remoteLog('agent/ABC-1'), 'Say hello\nfirst');
  assert.equal(await exists(join(team.path, 'sprung')), false);
});

test('a pull request is opened once, and only if there is something in it', async () => {
  await using team = await aTeam();
  await cloneToPushFrom(team);
  const calls = join(team.path, 'calls');
  await writeFile(calls, '');
  // In the place of GitHub's own command: it remembers what it was asked, and the pull request it made.
  const gh = `#!/bin/sh
printf '%s\\n' "$@" >> '${calls}'
[ "$2" = create ] && touch '${calls}.made'
[ -e '${calls}.made' ] || exit 1
[ "$6" != --json ] || echo https://git.example.test/team/repository/pulls/1
`;
  await mkdir(join(team.path, 'bin'));
  await writeFile(join(team.path, 'bin/gh'), gh, {mode: 0o755});
  const hooks = {...recipe('A pull request'), after_create: recipe('A clone').after_create};

  // Others have merged since the clone to push from was made; the agent has only a file, and commits nothing.
  await team.sh(`cd seed && git commit -q --allow-empty -m merged && git push -q origin main`);
  await team.attempt(hooks, 'echo draft > draft.txt');
  assert.equal(await readFile(calls, 'utf8'), '');
  assert.equal(await team.sh(`git ls-remote --heads '${team.remote}' 'agent/*'`), '');

  const links = await team.attempt(hooks, COMMITS);
  assert.deepEqual(links, [{name: 'pr', url: 'https://git.example.test/team/repository/pulls/1'}]);
  assert.equal(await team.remoteLog('agent/ABC-1'), 'Say hello\nmerged\nfirst');
  const asked = await readFile(calls, 'utf8');
  assert.ok(asked.includes(`--head\nagent/ABC-1\n--title\nABC-1: ${ISSUE.title}\n--body\n`), asked);

  await team.attempt(hooks, 'git commit -q --allow-empty -m more');
  assert.equal(await team.remoteLog('agent/ABC-1'), 'more\nSay hello\nmerged\nfirst');
  assert.equal((await readFile(calls, 'utf8')).match(/^create$/gm)?.length, 1);
});
