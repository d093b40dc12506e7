import {execFileSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createMask} from '@symphony-supervisor/protocol';
import {aFolder} from '../../../../../test/rig/fixtures/folder.ts';
import {RunProcesses} from '../../../src/processes/run-processes.ts';
import {findGit} from '../../../src/workspace/git/git-places.ts';
import {layOut} from '../../../src/workspace/layout.ts';
import type {Remote} from '../../../src/workspace/push/access.ts';
import {fetchBase} from '../../../src/workspace/push/fetch-base.ts';
import type {Tools} from '../../../src/workspace/push/private-folder.ts';
import {type PushOrder, pushHead} from '../../../src/workspace/push/push-head.ts';

export type Variables = Readonly<Record<string, string>>;

export interface Options {
  /** Of `git clone`. */
  readonly clone?: readonly string[];
  readonly init?: readonly string[];
}

/** A bare repository with three commits on `main`, a workspace with a clone of it, and one commit of an agent. */
export async function repositories({clone = [], init = []}: Options = {}) {
  const folder = await aFolder();
  const home = join(folder.path, 'home');
  const scratch = join(folder.path, 'scratch');
  const origin = join(folder.path, 'origin.git');
  for (const path of [home, scratch]) await mkdir(path);
  const env: Variables = {PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1'};
  const gitIn = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', args, {cwd, env, encoding: 'utf8', stdio: 'pipe'}).trim();
  gitIn(home, 'config', '--global', 'user.name', 'A');
  gitIn(home, 'config', '--global', 'user.email', 'a@example.org');
  gitIn(home, 'config', '--global', 'init.defaultBranch', 'main');

  const seed = join(folder.path, 'seed');
  gitIn(folder.path, 'init', '-q', ...init, seed);
  for (const name of ['one', 'two', 'three']) {
    await writeFile(join(seed, name), `${name}\n`.repeat(100));
    gitIn(seed, 'add', '.');
    gitIn(seed, 'commit', '-qm', name);
  }
  gitIn(folder.path, 'clone', '-q', '--bare', seed, origin);
  gitIn(origin, 'config', 'uploadpack.allowFilter', 'true');
  gitIn(origin, 'config', 'http.receivepack', 'true');

  const layout = await layOut(join(folder.path, 'root'), 'ABC-1');
  const workspace = layout.path;
  gitIn(folder.path, 'clone', '-q', ...clone, `file://${origin}`, workspace);
  const git = (...args: readonly string[]): string => gitIn(workspace, ...args);
  const places = await findGit(layout);
  const start = git('rev-parse', 'HEAD');

  const processes = new RunProcesses(randomUUID(), [], 'plain');
  const tools: Tools = {
    ...{processes, environment: env, secretNames: [], scratch},
    mask: createMask({values: []}),
  };
  const remote: Remote = {url: `file://${origin}`, push_with: 'git'};
  const order: PushOrder = {
    ...{branch: 'symphony/p/ABC-1', expected: null},
    base: {branch: 'main', commit: start},
  };
  const all = {
    ...{path: folder.path, home, scratch, origin, layout, workspace, env, start, seed},
    ...{git, gitIn, tools, remote, order, places, repository: {places, alternates: [] as string[]}},
    async commit(name: string, content = name): Promise<string> {
      await writeFile(join(workspace, name), content);
      git('add', name);
      git('commit', '-qm', name);
      return git('rev-parse', 'HEAD');
    },
    /** Adds a commit to a branch of the remote, as another person would. */
    async commitElsewhere(branch: string, name: string): Promise<string> {
      gitIn(seed, 'checkout', '-q', '-B', `for-${branch}`);
      await writeFile(join(seed, name), name);
      gitIn(seed, 'add', name);
      gitIn(seed, 'commit', '-qm', name);
      gitIn(seed, 'push', '-qf', origin, `HEAD:refs/heads/${branch}`);
      return gitIn(seed, 'rev-parse', 'HEAD');
    },
    push: (
      change: Partial<PushOrder> = {},
      to: Remote = remote,
      other: Partial<Tools> = {},
    ): ReturnType<typeof pushHead> =>
      pushHead(all.repository, to, {...order, ...change}, {...tools, ...other}),
    fetch: (from: Remote = remote, other: Partial<Tools> = {}): ReturnType<typeof fetchBase> =>
      fetchBase(all.repository, from, {base: 'main', branch: order.branch}, {...tools, ...other}),
    /** null: the remote has no such branch. */
    onRemote: (branch = order.branch): string | null => {
      const listed = gitIn(
        origin,
        'for-each-ref',
        '--format=%(objectname)',
        `refs/heads/${branch}`,
      );
      return listed || null;
    },
    [Symbol.asyncDispose]: async () => {
      await processes.endAll(0);
      await folder[Symbol.asyncDispose]();
    },
  };
  return all;
}

/** A program that leaves a trace of having run. `then` is what it does afterwards. */
export async function aTrap(path: string, then = 'exit 0') {
  const marker = `${path}.ran`;
  await mkdir(join(path, '..'), {recursive: true});
  await writeFile(path, `#!/bin/sh\necho ran >> '${marker}'\n${then}\n`);
  await chmod(path, 0o755);
  return {path, marker, hasRun: () => existsSync(marker)};
}
