import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {type Measure, median, type Row} from '../measure.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const REPEATS = 5;

/** What a newcomer waits for: the package as it would be published, alone in an empty folder. */
export const install: Measure = {
  name: 'install',
  isGuarded: false,
  fullOnly: true, // it uses the npm registry
  take: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'symphony-bench-install-'));
    try {
      const pack = ['pack', '--json', '-w', 'symphony-supervisor', '--pack-destination', folder];
      const {stdout} = await run('npm', pack, {cwd: ROOT});
      const [{filename}] = JSON.parse(stdout) as [{filename: string}];
      const home = join(folder, 'alone');
      await mkdir(home);
      await writeFile(join(home, 'package.json'), '{"private": true}');
      const quietly = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
      const installing = [...quietly, join(folder, filename)];
      const installMs = await timed(() => run('npm', installing, {cwd: home}));
      const size = await run('du', ['-sk', 'node_modules'], {cwd: home});
      const help: number[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const args = ['--no-install', 'symphony-supervisor', '--help'];
        help.push(await timed(() => run('npx', args, {cwd: home})));
      }
      return [
        reported('`npx symphony-supervisor --help`', median(help), 'ms'),
        reported(
          'install of the packed tarball, size',
          Number.parseInt(size.stdout, 10) / 1024,
          'MB',
        ),
        reported('install of the packed tarball, time', installMs, 'ms'),
      ];
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  },
};

function reported(measure: string, amount: number, unit: 'ms' | 'MB'): Row {
  return {measure, value: {amount, unit}, floor: null, aim: null};
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
