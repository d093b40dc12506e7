import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {build} from 'esbuild';
import {aFolder} from '../../test/rig/fixtures/folder.ts';
import {codeLines} from '../coverage/code-lines.ts';
import {executedLines} from '../coverage/executed-lines.ts';

const PART = `import {
  sep,
} from 'node:path';
export type {Shape} from './shape.ts';

/** A comment. */
export interface Named {
  readonly name: string;
}

export function called(yes: boolean): string {
  if (yes) {
    return sep;
  }
  const never = 'reached';
  return never;
}

export function bundledOnly(): string {
  return 'not called';
}

export function leftOut(): string {
  return 'not even in the bundle';
}
`;
const MAIN = `import {bundledOnly, called} from './part.ts';

called(true);
if (process.argv.length > 100) bundledOnly();
`;

async function aProgram(folder: string): Promise<{part: string; bundle: string}> {
  const part = join(folder, 'part.ts');
  await writeFile(part, PART);
  await writeFile(join(folder, 'shape.ts'), 'export type Shape = {\n  size: number;\n};\n');
  await writeFile(join(folder, 'main.ts'), MAIN);
  const bundle = join(folder, 'dist/main.mjs');
  await build({
    entryPoints: [join(folder, 'main.ts')],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
  });
  return {part, bundle};
}

test('lines of code are what is left without types, comments, imports and braces', async () => {
  await using folder = await aFolder();
  const {part} = await aProgram(folder.path);
  assert.deepEqual([...codeLines(part)], [11, 12, 13, 15, 16, 19, 20, 23, 24]);
  assert.deepEqual([...codeLines(join(folder.path, 'shape.ts'))], []);
});

test('of a bundle only what ran in it counts: neither what did not, nor what it has left out', async () => {
  await using folder = await aFolder();
  const {part, bundle} = await aProgram(folder.path);
  const raw = join(folder.path, 'raw');
  await mkdir(raw);
  const env = {...process.env, NODE_V8_COVERAGE: raw};
  await promisify(execFile)(process.execPath, [bundle], {env});
  const executed = executedLines(raw, (path) => path === part);
  assert.deepEqual([...executed.keys()], [part]);
  const lines = [...(executed.get(part) ?? [])].filter((line) => codeLines(part).has(line));
  assert.deepEqual(
    lines.sort((a, b) => a - b),
    [11, 12, 13],
  );
});
