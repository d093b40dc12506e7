import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

/** The scripted agent as users run it, made from the sources at hand; gone when this process ends. */
export async function bundleAgent(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'scripted-agent-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  const outfile = join(folder, 'scripted-agent.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../scripted-agent/main.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    // The YAML library is CommonJS and requires built-ins.
    banner: {
      js: "import {createRequire} from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}
