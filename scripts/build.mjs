// Bundles what is run as a process: start-up time is paid with every run, and unbundled it doubles.
// `--if-possible` (from `prepare`): an install without development dependencies has no esbuild.
import {copyFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {dynamicImportsOfCommonJs} from './dynamic-imports.mjs';
import {copyBinaries} from './sqlite.mjs';
import {licensesOf} from './third-party-licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {Record<string, Record<string, string>>} package folder → file in its `dist` → entry point */
const ENTRIES = {
  'packages/orchestrator': {
    main: 'src/main.ts',
    'demo-agent': '../../scripts/scripted-agent/main.ts',
  },
  scripts: {'scripted-agent': 'scripted-agent/main.ts'},
  test: {crashing: 'crash/crashing.ts', threaded: 'rig/threaded.ts'},
};

/** Our listeners give fastify no schemas to compile; see `NO_COMPILERS`. */
const NEVER_LOADED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

/**
 * Shares no file with what runs beside it: a file that both use holds what either needs, and the first
 * request waits until the thread has loaded its own.
 */
const THREAD = {'packages/orchestrator': {'tracker-thread': '../tracker/src/thread/thread.ts'}};

/** A program of its own: sharing files with the supervisor would cut those into more and smaller ones. */
const BY_HAND = {'packages/orchestrator': {'runner-cli': '../runner/src/cli.ts'}};

/** What `package.mjs` takes along. It has its own copy of SQLite (`sqlite.mjs`); all others find it in node_modules. */
const PUBLISHED = 'packages/orchestrator';
const SQLITE = {[PUBLISHED]: {'sqlite/lib/index': '@photostructure/sqlite'}};

/** Forked for every run, so what it loads is paid for again and again: one small file, without the loader of ES modules. */
const RUNNER = {'packages/orchestrator': {runner: '../runner/src/main.ts'}};
/** Half as long as all the rest of the runner, and only for prompts that ask for it. */
const LIQUID = {'packages/orchestrator': {'runner-liquid': 'liquidjs'}};
const COMMON_JS = {
  format: 'cjs',
  splitting: false,
  outExtension: {'.js': '.cjs'},
  banner: {},
  minifyWhitespace: true,
};
/** Kinds of agents that a run loads when it needs them: file in `dist` → entry point. Found by the build of the runner. */
const runnerKinds = {};
/** Makes of `import('./<kind>/agent.ts')` in the runner a `require` of that kind's file. */
const KINDS_APART = {
  name: 'kinds-apart',
  setup(build) {
    build.onResolve({filter: /^\.\/[a-z]+\/agent\.ts$/}, ({kind: how, path, resolveDir}) => {
      if (how !== 'dynamic-import') return undefined;
      const name = `runner-${path.split('/')[1]}`;
      runnerKinds[name] = join(resolveDir, path);
      return {path: `./${name}.cjs`, external: true};
    });
  },
};
const RUNNER_ALONE = {
  plugins: [KINDS_APART],
  supported: {'dynamic-import': false},
  alias: {liquidjs: './runner-liquid.cjs'},
  external: ['./runner-liquid.cjs'],
  // A process that starts from a snapshot has a `require` for Node's own modules alone.
  banner: {
    js: 'const __require = require; require = (name) => (name[0] === "." ? __require("node:module").createRequire(process.argv[1]) : __require)(name);',
  },
};

let esbuild;
try {
  esbuild = await import('esbuild');
} catch (error) {
  if (process.argv.includes('--if-possible')) process.exit(0);
  throw error;
}

/** All that went into what is published: files of libraries, and our own. */
const published = new Set(await buildDashboard());
copyBinaries(join(root, PUBLISHED, 'dist/sqlite'));
await Promise.all(
  Object.entries(ENTRIES).map(async ([folder, entries]) => {
    const outputs = [
      ...(await bundle(folder, entries)),
      ...(await bundle(folder, THREAD[folder] ?? {})),
      ...(await bundle(folder, BY_HAND[folder] ?? {}, {chunkNames: 'runner-cli/[name]-[hash]'})),
      ...(await bundle(folder, SQLITE[folder] ?? {}, {splitting: false, alias: {}, external: []})),
      ...(await bundle(folder, LIQUID[folder] ?? {}, COMMON_JS)),
      ...(await bundle(folder, RUNNER[folder] ?? {}, {...COMMON_JS, ...RUNNER_ALONE})),
      ...(await bundle(folder, folder in RUNNER ? runnerKinds : {}, COMMON_JS)),
    ];
    removeStale(join(root, folder), outputs);
  }),
);
const licenses = join(root, PUBLISHED, 'dist/THIRD-PARTY-LICENSES.txt');
writeFileSync(licenses, licensesOf([...published]));

/** Returns what it wrote. */
async function bundle(folder, entries, options = {}) {
  const sqlite = folder === PUBLISHED ? '#sqlite' : '@photostructure/sqlite';
  const {metafile} = await esbuild.build({
    absWorkingDir: `${root}${folder}`,
    entryPoints: Object.entries(entries).map(([out, path]) => ({in: path, out})),
    outdir: 'dist',
    bundle: true,
    // The one looks for the file of its threads beside its own, the other for its binary.
    external: ['piscina', sqlite, ...NEVER_LOADED],
    alias: {'@photostructure/sqlite': sqlite},
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    minifySyntax: true,
    chunkNames: 'chunks/[name]-[hash]',
    // CommonJS dependencies ask for Node's own modules with a `require` that ESM does not have.
    banner: {
      js: "import {createRequire as __createRequire} from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    ...options,
    metafile: true,
    logLevel: 'warning',
  });
  const broken = dynamicImportsOfCommonJs(metafile);
  if (broken.length > 0) {
    throw new Error(
      `CommonJS imported dynamically; import it statically in a file of its own, and that file dynamically:\n${broken.join('\n')}`,
    );
  }
  if (folder === PUBLISHED) for (const path of inputsOf(folder, metafile)) published.add(path);
  return Object.keys(metafile.outputs);
}

function inputsOf(folder, {inputs}) {
  return Object.keys(inputs).map((path) => resolve(root, folder, path));
}

/** A browser's page: small, and whole without any other host. Named outputs only, so nothing goes stale. Returns its inputs. */
async function buildDashboard() {
  const folder = join(root, PUBLISHED);
  const {metafile} = await esbuild.build({
    metafile: true,
    absWorkingDir: folder,
    entryPoints: [
      {in: 'src/dashboard/main.tsx', out: 'app'},
      {in: 'src/dashboard/styles/app.css', out: 'app'},
    ],
    outdir: 'dist/dashboard',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome115', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    sourcemap: 'external', // for what counts lines; the page does not name it
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const name of ['index.html', 'icon.svg']) {
    copyFileSync(join(folder, 'src/dashboard', name), join(folder, 'dist/dashboard', name));
  }
  return inputsOf(PUBLISHED, metafile);
}

/** Only now: a process that runs from this folder must always find it complete. */
function removeStale(folder, outputs) {
  for (const name of readdirSync(join(folder, 'dist'), {recursive: true})) {
    const path = join('dist', name);
    const isFile = /\.c?js(\.map)?$/.test(path) && !path.startsWith(join('dist', 'dashboard'));
    if (isFile && !outputs.includes(path)) rmSync(join(folder, path), {force: true});
  }
}
