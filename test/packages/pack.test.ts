import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {promisify} from 'node:util';
import {parsePage} from '../docs/reader/markdown.ts';
import {type Installed, installed} from './installed.ts';

const run = promisify(execFile);
let it: Installed;

before(async () => {
  it = await installed();
});
after(() => it?.[Symbol.asyncDispose]());

const PROGRAM = /^(bin\/[\w-]+\.js|dist\/([\w-]+\/)*[\w.+@-]+\.(c?js|css|html|svg|node|txt))$/;
const PAGE = /^docs\/([\w-]+\/)*[\w-]+\.(md|png|json)$/;
const BESIDE = /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|ecosystem\.config\.cjs)$/;

test('the tarball holds programs and pages; no sources, maps, tests or settings', (t) => {
  const {files, size, unpackedSize} = it.packed;
  t.diagnostic(`${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`);
  const paths = files.map(({path}) => path);
  const others = paths.filter((path) => ![PROGRAM, PAGE, BESIDE].some((kind) => kind.test(path)));
  assert.deepEqual(others, []);
  for (const path of ['README.md', 'LICENSE', 'docs/README.md', 'dist/THIRD-PARTY-LICENSES.txt']) {
    assert.ok(paths.includes(path), `${path} is missing`);
  }
});

test('one install brings both commands, and every file that the manifest names is there', async () => {
  const manifest = JSON.parse(await readFile(join(it.path, 'package.json'), 'utf8'));
  assert.deepEqual(Object.keys(manifest.bin), ['symphony-supervisor', 'symphony-runner']);
  for (const name of ['symphony-supervisor', 'symphony-runner'] as const) {
    const {stdout} = await run(it.bin(name), ['--version']);
    assert.equal(stdout, `${manifest.version}\n`);
  }
  const named = [manifest.bin, manifest.exports, manifest.imports].flatMap(Object.values);
  for (const path of named) assert.ok(existsSync(join(it.path, path)), `${path} does not exist`);
  for (const field of ['repository', 'homepage', 'bugs', 'keywords', 'license', 'engines']) {
    assert.ok(manifest[field], `${field} is missing`);
  }
  for (const field of ['private', 'scripts', 'devDependencies']) {
    assert.equal(manifest[field], undefined, field);
  }
});

test('npm runs no script when it installs, and warns of none', async () => {
  assert.doesNotMatch(it.said, /install-scripts|allowScripts|> .* (pre|post)?install/);
  const modules = join(it.home, 'node_modules');
  const files = await readdir(modules, {recursive: true});
  const manifests = files.filter((name) => /(^|\/)package\.json$/.test(name));
  assert.ok(manifests.length > 1, 'no manifests were found');
  for (const name of manifests) {
    const {scripts = {}} = JSON.parse(await readFile(join(modules, name), 'utf8'));
    for (const script of ['preinstall', 'install', 'postinstall']) {
      assert.equal(scripts[script], undefined, `${name}: ${script}`);
    }
  }
  // npm compiles what has such a file, unasked.
  assert.deepEqual(
    files.filter((name) => name.endsWith('binding.gyp')),
    [],
  );
});

test('every link of the pages inside leads to a file inside, or to an address', async () => {
  const pages = (await readdir(it.path, {recursive: true})).filter((name) => name.endsWith('.md'));
  assert.ok(pages.length > 20, `only ${pages.length} pages`);
  const dead: string[] = [];
  for (const name of pages) {
    const {links} = parsePage(name, await readFile(join(it.path, name), 'utf8'));
    for (const {text, line} of links) {
      const [target = ''] = text.split('#');
      if (/^https:/.test(text) || target === '') continue;
      if (!existsSync(join(it.path, dirname(name), target))) dead.push(`${name}:${line}: ${text}`);
    }
  }
  assert.deepEqual(dead, []);
});

test('the binaries of SQLite are there for every platform that we support', async () => {
  const folder = join(it.path, 'dist/sqlite/prebuilds');
  const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];
  assert.deepEqual((await readdir(folder)).toSorted(), platforms);
  for (const platform of platforms) {
    const libraries = platform.startsWith('linux') ? ['glibc', 'musl'] : ['glibc'];
    assert.deepEqual(
      (await readdir(join(folder, platform))).map((name) => /\.(\w+)\.node$/.exec(name)?.[1]),
      libraries,
    );
  }
});

test('pm2 finds the program by the configuration inside', async () => {
  const print = 'console.log(require(process.argv[1]).apps[0].script)';
  const config = join(it.path, 'ecosystem.config.cjs');
  const {stdout} = await run(process.execPath, ['-e', print, config]);
  assert.equal(stdout.trim(), join(it.path, 'bin/symphony-supervisor.js'));
  assert.ok(existsSync(stdout.trim()));
});

test('npx finds both commands in the folder of the install', async () => {
  const npx = async (...args: string[]) =>
    (await run('npx', ['--no-install', ...args], {cwd: it.home})).stdout;
  assert.match(await npx('symphony-supervisor', '--help'), /^Usage: symphony-supervisor /);
  await mkdir(join(it.home, 'issues'));
  await writeFile(join(it.home, 'issues/T-1.md'), '---\nstate: Todo\n---\n# Say hello\n');
  const text = '---\ntracker: {kind: file}\nworkspace: {root: ./w}\n---\nDo {{issue.title}}\n';
  await writeFile(join(it.home, 'WORKFLOW.md'), text);
  assert.equal(await npx('symphony-runner', 'T-1', '--print-prompt'), 'Do Say hello\n');
});

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1024)} kB`;
}
