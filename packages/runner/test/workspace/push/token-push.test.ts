import assert from 'node:assert/strict';
import {randomUUID} from 'node:crypto';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import type {Remote} from '../../../src/workspace/push/access.ts';
import {fetchBase} from '../../../src/workspace/push/fetch-base.ts';
import {type HttpRemoteOptions, httpRemote} from './http-remote.ts';
import {aTrap, repositories} from './repositories.ts';

const onLinux = {skip: process.platform === 'linux' ? false : 'reads /proc'};

async function aForge(options: HttpRemoteOptions = {}, password: string = randomUUID()) {
  const repos = await repositories();
  const head = await repos.commit('work');
  const forge = await httpRemote(repos.path, {login: `bot:${password}`, ...options});
  const remote = (given = password): Remote => ({
    url: `${forge.url}/origin.git`,
    push_with: 'token',
    credential: async () => ({username: 'bot', password: given}),
  });
  return {
    ...{repos, head, forge, remote, password},
    [Symbol.asyncDispose]: async () => {
      await forge[Symbol.asyncDispose]();
      await repos[Symbol.asyncDispose]();
    },
  };
}

/** Where the arguments or the environment of any process hold a text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => ['cmdline', 'environ'].map((name) => `/proc/${pid}/${name}`))
    .filter((path) => {
      try {
        return readFileSync(path, 'latin1').includes(text);
      } catch {
        return false; // gone
      }
    });
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, {throwIfNoEntry: false})?.isFile() === true)
    .filter((path) => readFileSync(path, 'latin1').includes(text));
}

test(
  'a token reaches git, and is in no argument, environment or file meanwhile',
  onLinux,
  async () => {
    const password = randomUUID();
    const basic = Buffer.from(`bot:${password}`).toString('base64');
    const found: string[] = [];
    let looks = 0;
    let path: string | null = null;
    const look = (): void => {
      looks += 1;
      for (const text of [password, basic]) found.push(...processesWith(text));
    };
    const lookEverywhere = (): void => {
      look();
      if (path !== null) found.push(...filesWith(path, password), ...filesWith(path, basic));
    };
    await using forge = await aForge({before: lookEverywhere, after: lookEverywhere}, password);
    const {repos, head, remote} = forge;
    path = repos.path;
    let isDone = false;
    // Also at every moment between the requests: askpass lives for a few milliseconds.
    const watching = (async () => {
      while (!isDone) {
        look();
        await turn();
      }
    })();
    const outcome = await repos.push({}, remote());
    const fetched = await repos.fetch(remote());
    isDone = true;
    await watching;
    assert.deepEqual(outcome, {is: 'pushed', head});
    assert.equal(fetched.is, 'fetched');
    assert.ok(looks > 20, `${looks} looks`);
    assert.deepEqual(found, []);
    assert.equal(repos.onRemote(), head);
  },
);

test('the look finds a token that is among arguments', onLinux, async () => {
  const password = randomUUID();
  const found: string[] = [];
  await using forge = await aForge(
    {before: () => void found.push(...processesWith(password))},
    password,
  );
  const url = forge.forge.url.replace('//', `//bot:${password}@`);
  await forge.repos.push({}, {url: `${url}/origin.git`, push_with: 'git'});
  assert.ok(found.some((path) => path.endsWith('cmdline')));
});

test('a refused token is told without being told', async () => {
  await using forge = await aForge();
  const wrong = randomUUID();
  const outcome = await forge.repos.push({}, forge.remote(wrong));
  assert.ok(outcome.is === 'refused');
  assert.equal(outcome.kind, 'credential_refused');
  assert.doesNotMatch(outcome.message, new RegExp(wrong));
  assert.equal(forge.repos.onRemote(), null);
});

test('no credential, or one that is none, is a refused credential', async () => {
  await using forge = await aForge();
  const {repos, remote} = forge;
  const credentials: Record<string, () => Promise<{username: string; password: string}>> = {
    'is not allowed': async () => {
      throw new Error('is not allowed');
    },
    'is empty': async () => ({username: 'bot', password: ''}),
    'several lines': async () => ({username: 'bot\nx', password: 'x'}),
  };
  for (const [message, credential] of Object.entries(credentials)) {
    const outcome = await repos.push({}, {...remote(), push_with: 'token', credential});
    assert.ok(outcome.is === 'refused');
    assert.equal(outcome.kind, 'credential_refused');
    assert.match(outcome.message, new RegExp(message));
  }
  assert.equal(forge.forge.seen.length, 0);
});

test('with a token no other credential of the operator is used', async () => {
  await using forge = await aForge();
  const {repos, head, remote, password} = forge;
  const helper = await aTrap(
    join(repos.home, 'helper'),
    `echo username=o; echo password=wrong-one`,
  );
  repos.gitIn(repos.home, 'config', '--global', 'credential.helper', helper.path);
  await writeFile(join(repos.home, '.netrc'), 'machine 127.0.0.1 login o password wrong-one\n');
  const environment = {...repos.env, GIT_ASKPASS: helper.path, SSH_ASKPASS: helper.path};
  assert.deepEqual(await repos.push({}, remote(), {environment}), {is: 'pushed', head});
  assert.equal(helper.hasRun(), false);
  const used = new Set(forge.forge.seen.map(({authorization}) => authorization));
  assert.deepEqual([...used], [null, `Basic ${Buffer.from(`bot:${password}`).toString('base64')}`]);
});

test("with push_with: git the operator's own helper is asked", async () => {
  await using forge = await aForge();
  const {repos, head, password} = forge;
  const says = `echo username=bot; echo password=${password}`;
  const helper = await aTrap(join(repos.home, 'helper'), says);
  repos.gitIn(repos.home, 'config', '--global', 'credential.helper', helper.path);
  const url = `${forge.forge.url}/origin.git`;
  assert.deepEqual(await repos.push({}, {url, push_with: 'git'}), {is: 'pushed', head});
  assert.equal(helper.hasRun(), true);
});

test('a token is not given to a host that the remote redirects to', async () => {
  await using elsewhere = await aForge();
  await using forge = await aForge({redirectTo: () => elsewhere.forge.url}, elsewhere.password);
  const outcome = await forge.repos.push({}, forge.remote());
  assert.ok(outcome.is === 'refused');
  assert.equal(outcome.kind, 'credential_refused', outcome.message);
  assert.ok(elsewhere.forge.seen.length > 0, 'git did follow');
  assert.ok(elsewhere.forge.seen.every(({authorization}) => authorization === null));
});

test('a token is sent by TLS, or not beyond this machine', async () => {
  await using forge = await aForge();
  const {repos, remote} = forge;
  for (const url of [
    'http://example.org/x.git',
    'ssh://git@example.org/x',
    'https://u:p@example.org/x',
    '/x',
  ]) {
    const outcome = await repos.push({}, {...remote(), url} as Remote);
    assert.ok(outcome.is === 'refused');
    assert.equal(outcome.kind, 'not_allowed');
  }
});

test('a branch that moves between question and push is not overwritten', async () => {
  let onPush = async (): Promise<void> => {};
  await using forge = await aForge({
    before: async ({url = ''}) => {
      if (url.endsWith('service=git-receive-pack')) await onPush();
    },
  });
  const {repos, remote} = forge;
  let theirs = '';
  onPush = async () => {
    theirs = await repos.commitElsewhere(repos.order.branch, 'theirs');
  };
  const outcome = await repos.push({}, remote());
  assert.ok(outcome.is === 'refused');
  assert.equal(outcome.kind, 'branch_moved', outcome.message);
  assert.equal(repos.onRemote(), theirs);
});

test('a push whose answer is lost has been done', async () => {
  let isLost = false;
  await using forge = await aForge({
    after: ({url = ''}) => {
      if (!url.endsWith('/git-receive-pack') || isLost) return;
      isLost = true;
      throw new Error('the connection breaks');
    },
  });
  const {repos, head, remote} = forge;
  assert.deepEqual(await repos.push({}, remote()), {is: 'pushed', head});
  assert.ok(isLost);
});

test('a base is fetched with the same token', async () => {
  await using forge = await aForge();
  const {repos, remote} = forge;
  const base = await repos.commitElsewhere('main', 'newer');
  const names = {base: 'main', branch: repos.order.branch};
  const fetched = await fetchBase(repos.repository, remote(), names, repos.tools);
  assert.ok(fetched.is === 'fetched');
  assert.equal(repos.git('rev-parse', 'refs/symphony/base'), base);
});
