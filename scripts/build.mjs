// Bundles what is run as a process: start-up time is paid with every run, and unbundled it doubles.
// `--if-possible` (from `prepare`): an install without development dependencies has no esbuild.
import {readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {Record<string, string[]>} package folder → entry points in it */
const ENTRIES = {
  'packages/runner': ['src/main.ts', 'src/cli.ts'],
  scripts: ['scripted-agent/main.ts'],
};

let esbuild;
try {
  esbuild = await import('esbuild');
} catch (error) {
  if (process.argv.includes('--if-possible')) process.exit(0);
  throw error;
}

await Promise.all(
  Object.entries(ENTRIES).map(async ([folder, entries]) => {
    const {metafile} = await esbuild.build({
      absWorkingDir: `${root}${folder}`,
      entryPoints: entries.map((entry) => ({in: entry, out: nameOf(entry)})),
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'linked',
      sourcesContent: false,
      minifySyntax: true,
      metafile: true,
      logLevel: 'warning',
      chunkNames: 'chunks/[name]-[hash]',
      // CommonJS dependencies ask for Node's own modules with a `require` that ESM does not have.
      banner: {
        js: "import {createRequire as __createRequire} from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    });
    removeStale(join(root, folder), Object.keys(metafile.outputs));
  }),
);

/** Only now: whoever runs from this folder, or starts something in it, must always find it whole. */
function removeStale(folder, outputs) {
  for (const name of readdirSync(join(folder, 'dist'), {recursive: true})) {
    const path = join('dist', name);
    const isFile = /\.js(\.map)?$/.test(path);
    if (isFile && !outputs.includes(path)) rmSync(join(folder, path), {force: true});
  }
}

/** `src/main.ts` → `main`, `scripted-agent/main.ts` → `scripted-agent` */
function nameOf(entry) {
  const [folder, file] = entry.split('/');
  return folder === 'src' ? file.replace(/\.ts$/, '') : folder;
}
