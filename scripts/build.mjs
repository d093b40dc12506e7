// Bundles what is run as a process: start-up time is paid with every run, and unbundled it doubles.
// `--if-possible` (from `prepare`): an install without development dependencies has no esbuild.
import {copyFileSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {dynamicImportsOfCommonJs} from './dynamic-imports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {Record<string, Record<string, string>>} package folder → file in its `dist` → entry point */
const ENTRIES = {
  'packages/runner': {cli: 'src/cli.ts'},
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
const THREAD = {'packages/orchestrator': {'tracker-thread': '../tracker/src/thread.ts'}};

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
const WITHOUT_LIQUID = {
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

await buildDashboard();
await Promise.all(
  Object.entries(ENTRIES).map(async ([folder, entries]) => {
    const outputs = [
      ...(await bundle(folder, entries)),
      ...(await bundle(folder, THREAD[folder] ?? {})),
      ...(await bundle(folder, LIQUID[folder] ?? {}, COMMON_JS)),
      ...(await bundle(folder, RUNNER[folder] ?? {}, {...COMMON_JS, ...WITHOUT_LIQUID})),
    ];
    removeStale(join(root, folder), outputs);
  }),
);

/** Returns what it wrote. */
async function bundle(folder, entries, options = {}) {
  const {metafile} = await esbuild.build({
    absWorkingDir: `${root}${folder}`,
    entryPoints: Object.entries(entries).map(([out, path]) => ({in: path, out})),
    outdir: 'dist',
    bundle: true,
    // The one looks for the file of its threads beside its own, the other for its binary.
    external: ['piscina', '@photostructure/sqlite', ...NEVER_LOADED],
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
  return Object.keys(metafile.outputs);
}

/** A browser's page: small, and whole without any other host. Named outputs only, so nothing goes stale. */
async function buildDashboard() {
  const folder = join(root, 'packages/orchestrator');
  await esbuild.build({
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
}

/** Only now: whoever runs from this folder, or starts something in it, must always find it whole. */
function removeStale(folder, outputs) {
  for (const name of readdirSync(join(folder, 'dist'), {recursive: true})) {
    const path = join('dist', name);
    const isFile = /\.c?js(\.map)?$/.test(path) && !path.startsWith(join('dist', 'dashboard'));
    if (isFile && !outputs.includes(path)) rmSync(join(folder, path), {force: true});
  }
}
