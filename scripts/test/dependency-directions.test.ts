import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Who may know whom. `protocol ← tracker ← orchestrator`, `protocol ← runner`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  tracker: ['protocol'],
  runner: ['protocol'],
  orchestrator: ['protocol', 'tracker'],
};
/** Without a supervisor the runner speaks to the tracker itself; nothing else in it may. */
const STANDALONE = /^packages\/runner\/src\/(cli\.ts|standalone\/)/;
const CORE = 'packages/orchestrator/src/core/';

/** Every source file, with what it imports, as esbuild resolves it. */
async function imports(): Promise<Map<string, {path: string; external: boolean}[]>> {
  const files = Object.keys(MAY_IMPORT).flatMap((name) => sourcesBelow(`packages/${name}/src`));
  const {metafile} = await build({
    absWorkingDir: root,
    entryPoints: files,
    outdir: 'unused',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return new Map(
    Object.entries(metafile.inputs)
      .filter(([path]) => path.startsWith('packages/'))
      .map(([path, input]) => [
        path,
        input.imports.map((found) => ({path: found.path, external: found.external ?? false})),
      ]),
  );
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function packageOf(path: string): string | null {
  return /^packages\/([^/]+)\//.exec(path)?.[1] ?? null;
}

test('packages depend on each other in one direction only', async () => {
  const found = await imports();
  assert.ok(found.size > 50, `only ${found.size} files were looked at`);
  const wrong: string[] = [];
  for (const [file, list] of found) {
    const from = packageOf(file) ?? '';
    for (const {path} of list) {
      const to = packageOf(path);
      if (to === null || to === from || MAY_IMPORT[from]?.includes(to)) continue;
      if (to === 'tracker' && STANDALONE.test(file)) continue;
      wrong.push(`${file} → ${path}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** No clock, no files, no processes: what the core knows came to it in an event. */
test('the core of the orchestrator knows neither Node nor anything that acts', async () => {
  const core = [...(await imports())].filter(([file]) => file.startsWith(CORE));
  assert.ok(core.length > 10, `only ${core.length} files were looked at`);
  for (const [file, list] of core) {
    const outside = list.filter(
      ({path}) => !path.startsWith(CORE) && !path.startsWith('packages/protocol/'),
    );
    assert.deepEqual(outside, [], file);
  }
});

/** Files, processes and the like of a machine that runs agents. */
const OF_A_MACHINE =
  /^node:(child_process|fs|fs\/promises|net|os)$|^packages\/protocol\/src\/processes\//;
const SHELL = 'packages/orchestrator/src/shell/';
/** The host that is this machine; what chooses it; and the supervisor's own workflow files. */
const MAY_KNOW_THE_MACHINE = /^(host\/local\/|upkeep\/workflow-watch\.ts$)/;
const MAY_KNOW_THE_LOCAL_HOST = /^(host\/local\/|outside\.ts$)/;

test('the shell reaches a machine through the interface of its host only', async () => {
  const shell = [...(await imports())].filter(([file]) => file.startsWith(SHELL));
  assert.ok(shell.length > 30, `only ${shell.length} files were looked at`);
  const wrong = shell.flatMap(([path, list]) => {
    const file = path.slice(SHELL.length);
    return list.flatMap(({path: imported}) => {
      const isWrong =
        (OF_A_MACHINE.test(imported) && !MAY_KNOW_THE_MACHINE.test(file)) ||
        (imported.startsWith(`${SHELL}host/local/`) && !MAY_KNOW_THE_LOCAL_HOST.test(file));
      return isWrong ? [`${file} → ${imported}`] : [];
    });
  });
  assert.deepEqual(wrong, []);
});

/** The files that a package's manifest exports, as paths from the root. */
function exportsOf(name: string): string[] {
  const manifest = readFileSync(join(root, `packages/${name}/package.json`), 'utf8');
  const {exports = {}} = JSON.parse(manifest) as {exports?: Record<string, string>};
  return Object.values(exports).map((path) => join(`packages/${name}`, path));
}

test('packages import each other only through what their manifests export', async () => {
  const exported = new Set(Object.keys(MAY_IMPORT).flatMap(exportsOf));
  assert.ok(exported.size > 5, `only ${exported.size} exports were found`);
  const wrong: string[] = [];
  for (const [file, list] of await imports()) {
    for (const {path} of list) {
      const to = packageOf(path);
      if (to === null || to === packageOf(file) || exported.has(path)) continue;
      wrong.push(`${file} → ${path}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the conformance suite knows nothing of what it judges', async () => {
  const folder = 'test/conformance';
  const {metafile} = await build({
    absWorkingDir: root,
    entryPoints: sourcesBelow(folder),
    outdir: 'unused',
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  assert.ok(inputs.includes(`${folder}/report.ts`));
  assert.deepEqual(
    inputs.filter((path) => /^packages\/[^/]+\/(src|dist)\//.test(path)),
    [],
  );
});
