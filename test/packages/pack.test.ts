import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {aFolder} from '../rig/folder.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly {readonly path: string; readonly mode: number}[];
}

/** The tarball that `npm publish` would send, installed alone into an empty folder. */
async function installed(name: string, folder: string, say: (line: string) => void) {
  const {stdout} = await run('npm', ['pack', '--json', '-w', name, '--pack-destination', folder], {
    cwd: ROOT,
  });
  const [packed] = JSON.parse(stdout) as [Packed];
  say(`${name}: ${kilobytes(packed.size)} packed, ${kilobytes(packed.unpackedSize)} unpacked`);
  const home = join(folder, 'alone');
  await mkdir(home);
  await writeFile(join(home, 'package.json'), '{"private": true}');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', [...install, join(folder, packed.filename)], {cwd: home});
  const env = {...process.env, HOME: folder, NO_UPDATE_NOTIFIER: '1'};
  const npx = (...args: string[]) => run('npx', ['--no-install', ...args], {cwd: home, env});
  return {packed, home, npx};
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1024)} kB`;
}

/** Programs, and what a registry shows; no sources, maps, tests or settings. */
function hasOnlyWhatIsNeeded({files}: Packed, bin: string): void {
  const needed =
    /^(bin\/[\w-]+\.js|dist\/([\w-]+\/)*[\w.-]+\.(c?js|css|html|svg|json|woff2|ico|png)|package\.json|README\.md|LICENSE)$/;
  const others = files.map(({path}) => path).filter((path) => !needed.test(path));
  assert.deepEqual(others, []);
  for (const path of ['README.md', 'LICENSE', `bin/${bin}.js`]) {
    assert.ok(
      files.some((file) => file.path === path),
      `${path} is missing`,
    );
  }
  assert.equal((files.find(({path}) => path === `bin/${bin}.js`)?.mode ?? 0) & 0o111, 0o111);
}

test('symphony-supervisor installs alone, and its demo works', async (t) => {
  await using folder = await aFolder();
  const {packed, home, npx} = await installed('symphony-supervisor', folder.path, (line) =>
    t.diagnostic(line),
  );
  hasOnlyWhatIsNeeded(packed, 'symphony-supervisor');
  const manifest = JSON.parse(
    await readFile(join(home, 'node_modules/symphony-supervisor/package.json'), 'utf8'),
  );
  assert.deepEqual(Object.keys(manifest.dependencies), ['@photostructure/sqlite', 'piscina']);
  const {stdout} = await npx('symphony-supervisor', 'demo');
  assert.equal([...stdout.matchAll(/^DEMO-\d .* Done .*DEMO-\d: /gm)].length, 6, stdout);
});

test('symphony-runner installs alone, and works', async (t) => {
  await using folder = await aFolder();
  const {packed, home, npx} = await installed('symphony-runner', folder.path, (line) =>
    t.diagnostic(line),
  );
  hasOnlyWhatIsNeeded(packed, 'symphony-runner');
  assert.match(
    (await npx('symphony-runner', '--help')).stdout,
    /^Usage: symphony-runner <identifier>/,
  );
  await mkdir(join(home, 'issues'));
  await writeFile(join(home, 'issues/T-1.md'), '---\nstate: Todo\n---\n# Say hello\n');
  const text = '---\ntracker: {kind: file}\nworkspace: {root: ./w}\n---\nDo {{issue.title}}\n';
  await writeFile(join(home, 'WORKFLOW.md'), text);
  const {stdout} = await npx('symphony-runner', 'T-1', '--print-prompt');
  assert.equal(stdout, 'Do Say hello\n');
});
