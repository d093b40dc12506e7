import assert from 'node:assert/strict';
import {execFile, execFileSync, spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {appendFile, mkdir, rename, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import type {Remote} from '../../../src/workspace/push/access.ts';
import {httpRemote} from './http-remote.ts';
import {aTrap, repositories, type Variables} from './repositories.ts';

type Repositories = Awaited<ReturnType<typeof repositories>>;

interface Prepared {
  /** Tells that something of the agent's was run or used. */
  readonly marker: string;
  /** What is pushed to, if it is not the origin by its path. */
  readonly remote?: Remote;
  readonly environment?: Variables;
}

interface Hostile {
  readonly prepare: (repos: Repositories, forge: string) => Promise<Prepared>;
  /** What a script without care would do in the workspace. */
  readonly naive: string;
}

const PASSWORD = 'a-secret-password';
const PUSH = 'git push origin HEAD:refs/heads/naive';
const FETCH = 'git fetch origin main:naive';

/** An agent has written `value`, in which TRAP is a program that leaves a marker. */
function configured(key: string, value: string, then?: string): Hostile['prepare'] {
  return async (repos) => {
    const trap = await aTrap(join(repos.path, 'trap'), then);
    repos.git('config', key, value.replaceAll('TRAP', trap.path));
    return {marker: trap.marker};
  };
}

/** A repository that shows when it is pushed to. */
async function anotherOrigin(repos: Repositories): Promise<{marker: string; key: string}> {
  const evil = join(repos.path, 'evil.git');
  repos.gitIn(repos.path, 'clone', '-q', '--bare', repos.origin, evil);
  const {marker} = await aTrap(join(evil, 'hooks/post-receive'));
  return {marker, key: `url.file://${evil}`};
}

function instead(name: 'insteadOf' | 'pushInsteadOf'): Hostile['prepare'] {
  return async (repos) => {
    const {marker, key} = await anotherOrigin(repos);
    repos.git('config', `${key}.${name}`, repos.remote.url);
    return {marker};
  };
}

/** The origin is a forge that wants a password. */
function behindLogin(prepare: Hostile['prepare']): Hostile['prepare'] {
  return async (repos, forge) => {
    const url = `${forge}/origin.git`;
    repos.git('remote', 'set-url', 'origin', url);
    const credential = async () => ({username: 'bot', password: PASSWORD});
    return {...(await prepare(repos, forge)), remote: {url, push_with: 'token', credential}};
  };
}

/** An ssh of the operator's that leads to this machine. */
async function bySsh(repos: Repositories): Promise<Pick<Prepared, 'remote' | 'environment'>> {
  const {path} = await aTrap(join(repos.home, 'ssh'), 'for last; do :; done; exec sh -c "$last"');
  const url = `ssh://example.org${repos.origin}`;
  repos.git('remote', 'set-url', 'origin', url);
  return {remote: {url, push_with: 'git'}, environment: {...repos.env, GIT_SSH_COMMAND: path}};
}

const HOSTILE: Readonly<Record<string, Hostile>> = {
  'core.hooksPath': {
    naive: PUSH,
    prepare: async (repos) => {
      const {marker} = await aTrap(join(repos.path, 'hooks/pre-push'), 'cat >/dev/null');
      repos.git('config', 'core.hooksPath', join(repos.path, 'hooks'));
      return {marker};
    },
  },
  'hook pre-push': {
    naive: PUSH,
    prepare: async ({workspace}) => aTrap(join(workspace, '.git/hooks/pre-push'), 'cat >/dev/null'),
  },
  'hook reference-transaction': {
    naive: FETCH,
    prepare: async ({workspace}) =>
      aTrap(join(workspace, '.git/hooks/reference-transaction'), 'cat >/dev/null'),
  },
  insteadOf: {naive: PUSH, prepare: instead('insteadOf')},
  pushInsteadOf: {naive: PUSH, prepare: instead('pushInsteadOf')},
  'credential.helper': {
    naive: PUSH,
    prepare: behindLogin(
      configured('credential.helper', 'TRAP', `echo username=bot; echo password=${PASSWORD}`),
    ),
  },
  'core.askPass': {
    naive: PUSH,
    prepare: behindLogin(configured('core.askPass', 'TRAP', `echo ${PASSWORD}`)),
  },
  'core.fsmonitor': {naive: `git status; ${PUSH}`, prepare: configured('core.fsmonitor', 'TRAP')},
  'remote.origin.receivepack': {
    naive: PUSH,
    prepare: configured('remote.origin.receivepack', 'TRAP; git-receive-pack'),
  },
  'remote.origin.uploadpack': {
    naive: FETCH,
    prepare: configured('remote.origin.uploadpack', 'TRAP; git-upload-pack'),
  },
  'core.sshCommand': {
    naive: PUSH,
    prepare: async (repos, forge) => {
      const {marker} = await configured('core.sshCommand', 'TRAP')(repos, forge);
      return {marker, ...(await bySsh(repos))};
    },
  },
  'url.ext::': {
    naive: PUSH,
    prepare: async (repos) => {
      const {path, marker} = await aTrap(join(repos.path, 'trap'));
      repos.git('config', 'protocol.ext.allow', 'always');
      repos.git('config', `url.ext::${path} .insteadOf`, 'file://');
      return {marker};
    },
  },
  'include.path': {
    naive: PUSH,
    prepare: async (repos) => {
      const {marker} = await aTrap(join(repos.path, 'hooks/pre-push'), 'cat >/dev/null');
      await writeFile(join(repos.path, 'more'), `[core]\n\thooksPath = ${repos.path}/hooks\n`);
      repos.git('config', 'include.path', join(repos.path, 'more'));
      return {marker};
    },
  },
  'a filter of .gitattributes': {
    naive: `git add -A; ${PUSH}`,
    prepare: async (repos, forge) => {
      await repos.commit('.gitattributes', '* filter=x\n');
      await writeFile(join(repos.workspace, 'fresh'), 'fresh');
      return configured('filter.x.clean', 'TRAP', 'cat')(repos, forge);
    },
  },
  'GIT_CONFIG_COUNT in the environment': {
    naive: PUSH,
    prepare: async (repos) => {
      const {marker, key} = await anotherOrigin(repos);
      const named = {GIT_CONFIG_KEY_0: `${key}.insteadOf`, GIT_CONFIG_VALUE_0: repos.remote.url};
      return {marker, environment: {...repos.env, GIT_CONFIG_COUNT: '1', ...named}};
    },
  },
  'GIT_CONFIG_PARAMETERS in the environment': {
    naive: PUSH,
    prepare: async (repos) => {
      const {marker, key} = await anotherOrigin(repos);
      const set = `'${key}.insteadof'='${repos.remote.url}'`;
      return {marker, environment: {...repos.env, GIT_CONFIG_PARAMETERS: set}};
    },
  },
  'GIT_DIR and others in the environment': {
    naive: PUSH,
    prepare: async (repos) => {
      const {marker} = await aTrap(join(repos.workspace, '.git/hooks/pre-push'), 'cat >/dev/null');
      const GIT_DIR = join(repos.workspace, '.git');
      const others = {GIT_WORK_TREE: repos.workspace, GIT_OBJECT_DIRECTORY: `${GIT_DIR}/objects`};
      return {marker, environment: {...repos.env, GIT_DIR, ...others}};
    },
  },
  'GIT_TRACE_CURL in the environment': {
    naive: PUSH,
    prepare: behindLogin(async (repos) => {
      const marker = join(repos.path, 'trace');
      return {marker, environment: {...repos.env, GIT_TRACE_CURL: marker}};
    }),
  },
};

for (const [name, {prepare, naive}] of Object.entries(HOSTILE)) {
  test(`nothing of it runs: ${name}`, async () => {
    await using repos = await repositories();
    await using forge = await httpRemote(repos.path, {login: `bot:${PASSWORD}`});
    await repos.commit('work');
    const {
      marker,
      remote = repos.remote,
      environment = repos.env,
    } = await prepare(repos, forge.url);
    // As a script of an operator without care would; whether it succeeds is not of interest.
    const {GIT_SSH_COMMAND: _, ...env} = environment;
    const options = {cwd: repos.workspace, env: {...env, GIT_TERMINAL_PROMPT: '0'}};
    await promisify(execFile)('sh', ['-c', naive], options).catch(() => {});
    assert.ok(existsSync(marker), 'the trap works');
    await rm(marker);

    const head = repos.git('rev-parse', 'HEAD');
    assert.equal(existsSync(marker), false);
    const pushed = await repos.push({}, remote, {environment});
    const fetched = await repos.fetch(remote, {environment});
    assert.deepEqual(pushed, {is: 'pushed', head});
    assert.equal(fetched.is, 'fetched', JSON.stringify(fetched));
    assert.equal(existsSync(marker), false, 'the trap has run');
    assert.equal(repos.onRemote(), head);
  });
}

/** Another repository of the operator's, with a blob that an agent knows by name. */
async function aSecretRepository(repos: Repositories) {
  const path = join(repos.path, 'secret');
  repos.gitIn(repos.path, 'init', '-q', path);
  await writeFile(join(path, 'key'), 'a private key');
  const blob = repos.gitIn(path, 'hash-object', '-w', 'key');
  return {objects: join(path, '.git/objects'), blob};
}

/** A commit whose tree names a blob that need not be here. */
function commitOf(repos: Repositories, blob: string): string {
  const input = `100644 blob ${blob}\tstolen\n`;
  const options = {cwd: repos.workspace, env: repos.env, encoding: 'utf8'} as const;
  const tree = execFileSync('git', ['mktree', '--missing'], {...options, input}).trim();
  const commit = repos.git('commit-tree', '-p', 'HEAD', '-m', 'theft', tree);
  repos.git('update-ref', 'HEAD', commit);
  return commit;
}

function hasObject(repos: Repositories, blob: string): boolean {
  const args = ['-C', repos.origin, 'cat-file', '-e', blob];
  return spawnSync('git', args, {env: repos.env}).status === 0;
}

test('alternates that an agent has written lend nothing', async () => {
  await using repos = await repositories();
  const {objects, blob} = await aSecretRepository(repos);
  commitOf(repos, blob);
  await writeFile(join(repos.workspace, '.git/objects/info/alternates'), `${objects}\n`);
  const outcome = await repos.push();
  assert.ok(outcome.is === 'refused');
  assert.equal(outcome.kind, 'missing_objects');
  assert.match(outcome.message, /borrows objects from .*secret/);
  assert.equal(hasObject(repos, blob), false);
  repos.git('push', '-q', 'origin', 'HEAD:refs/heads/naive');
  assert.equal(hasObject(repos, blob), true, 'a push in the workspace gives it away');
});

test('alternates that were there at the start lend their objects', async () => {
  await using repos = await repositories();
  const {objects, blob} = await aSecretRepository(repos);
  const head = commitOf(repos, blob);
  await writeFile(join(repos.workspace, '.git/objects/info/alternates'), `${objects}\n`);
  repos.repository.alternates.push(objects);
  assert.deepEqual(await repos.push(), {is: 'pushed', head});
});

test('links and pipes among the objects are not followed', async (t) => {
  const ways: Record<string, (objects: string, secret: string, blob: string) => Promise<void>> = {
    'the object folder': async (objects, secret) => {
      await rename(objects, `${objects}.real`);
      await symlink(secret, objects);
      await mkdir(join(secret, 'pack'), {recursive: true});
    },
    'a folder of loose objects': async (objects, secret, blob) => {
      await rm(join(objects, blob.slice(0, 2)), {recursive: true, force: true});
      await symlink(join(secret, blob.slice(0, 2)), join(objects, blob.slice(0, 2)));
    },
    'one object': async (objects, secret, blob) => {
      const name = `${blob.slice(0, 2)}/${blob.slice(2)}`;
      await mkdir(join(objects, blob.slice(0, 2)), {recursive: true});
      await symlink(join(secret, name), join(objects, name));
    },
    'the folder of packs': async (objects, secret) => {
      await rename(join(objects, 'pack'), join(objects, 'real'));
      await symlink(join(secret, 'pack'), join(objects, 'pack'));
    },
    'a pipe': async (objects, _secret, blob) => {
      const folder = join(objects, blob.slice(0, 2));
      await mkdir(folder, {recursive: true});
      execFileSync('mkfifo', [join(folder, blob.slice(2))]);
    },
    'a pipe in the place of the alternates': async (objects) => {
      execFileSync('mkfifo', [join(objects, 'info/alternates')]);
    },
    'a pipe in the place of the shallow commits': async (objects) => {
      execFileSync('mkfifo', [join(objects, '../shallow')]);
    },
  };
  for (const [name, make] of Object.entries(ways)) {
    await t.test(name, async () => {
      await using repos = await repositories();
      const {objects, blob} = await aSecretRepository(repos);
      commitOf(repos, blob);
      await make(join(repos.workspace, '.git/objects'), objects, blob);
      for (const outcome of [await repos.push(), await repos.fetch()]) {
        assert.ok(outcome.is === 'refused');
        assert.equal(outcome.kind, 'unsafe_repository', outcome.message);
      }
      assert.equal(hasObject(repos, blob), false);
    });
  }
});

test('a configuration, an index or a hook that is a pipe does not block', async () => {
  await using repos = await repositories();
  const head = await repos.commit('work');
  for (const name of ['config', 'index', 'hooks/pre-push', 'info/attributes', 'commondir']) {
    const path = join(repos.workspace, '.git', name);
    await mkdir(join(path, '..'), {recursive: true});
    await rm(path, {force: true});
    execFileSync('mkfifo', [path]);
  }
  assert.deepEqual(await repos.push(), {is: 'pushed', head});
  assert.equal((await repos.fetch()).is, 'fetched');
});

test('refs that are endless are not read', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  const packed = join(repos.workspace, '.git/packed-refs');
  await appendFile(packed, '');
  await truncate(packed, 2 ** 40);
  const outcome = await repos.push();
  assert.ok(outcome.is === 'refused');
  assert.equal(outcome.kind, 'unsafe_repository');
});

test('no process of git is started about the workspace', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  await repos.commitElsewhere('main', 'newer');
  // Unlike variables, which are removed, the global configuration is the operator's.
  const trace = join(repos.path, 'trace');
  repos.gitIn(repos.home, 'config', '--global', 'trace2.eventTarget', trace);
  assert.equal((await repos.push()).is, 'pushed');
  assert.equal((await repos.fetch()).is, 'fetched');
  const started = readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"argv"'));
  assert.ok(started.some((line) => line.includes('send-pack') || line.includes('pack-objects')));
  assert.deepEqual(
    started.filter((line) => line.includes(repos.workspace)),
    [],
  );
});
