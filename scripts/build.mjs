// Bundles what is run as a process: start-up time is paid with every run, and unbundled it doubles.
// `--if-possible` (from `prepare`): an install without development dependencies has no esbuild.
import {rmSync} from 'node:fs';
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
  Object.entries(ENTRIES).map(([folder, entries]) => {
    rmSync(`${root}${folder}/dist`, {recursive: true, force: true});
    return esbuild.build({
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
      logLevel: 'warning',
      chunkNames: 'chunks/[name]-[hash]',
      // CommonJS dependencies ask for Node's own modules with a `require` that ESM does not have.
      banner: {
        js: "import {createRequire as __createRequire} from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    });
  }),
);

/** `src/main.ts` → `main`, `scripted-agent/main.ts` → `scripted-agent` */
function nameOf(entry) {
  const [folder, file] = entry.split('/');
  return folder === 'src' ? file.replace(/\.ts$/, '') : folder;
}
