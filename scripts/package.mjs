// Assembles what is published in `package/`: both commands, the bundles, the documentation. The manifest is that of
// packages/orchestrator, which is private, without what serves development alone: a package that names its own
// sources but does not hold them promises imports that fail.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join, posix} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const from = join(root, 'packages/orchestrator');
const to = join(root, 'package');

rmSync(to, {recursive: true, force: true});
mkdirSync(to);
const {
  private: _,
  exports: __,
  devDependencies: ___,
  ...manifest
} = json(join(from, 'package.json'));
const page = `${manifest.homepage.replace(/#.*/, '')}/blob/main`;
const exported = {'./package.json': './package.json'};
write('package.json', `${JSON.stringify({...manifest, exports: exported}, null, 2)}\n`);
for (const name of ['README.md', 'LICENSE', 'bin']) copy(join(from, name), name);
// Maps are for development.
copy(join(from, 'dist'), 'dist', (path) => !path.endsWith('.map'));
for (const name of ['docs', 'CHANGELOG.md']) copy(join(root, name), name);
const pm2 = readFileSync(join(root, 'ecosystem.config.cjs'), 'utf8');
write('ecosystem.config.cjs', pm2.replace('/packages/orchestrator/bin/', '/bin/'));
for (const name of readdirSync(join(to, 'docs'), {recursive: true, encoding: 'utf8'})) {
  if (name.endsWith('.md')) write(join('docs', name), withLinksHome(posix.join('docs', name)));
}

/** A link to what is not in the package leads to the repository. */
function withLinksHome(name) {
  return readFileSync(join(to, name), 'utf8').replace(/(?<=\]\()\.\.\/[^)\s]*(?=\))/g, (link) => {
    const target = posix.join(dirname(name), link);
    return existsSync(join(to, target.replace(/#.*/, ''))) ? link : `${page}/${target}`;
  });
}

function copy(source, name, filter = () => true) {
  cpSync(source, join(to, name), {recursive: true, filter});
}

function write(name, text) {
  writeFileSync(join(to, name), text);
}

function json(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
