import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';

/** The binary itself, in the package of this platform: the command of the main package is made by a script that npm may not run. */
export function claudeBinary(): string {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  const path = join(packageFolder(name), 'claude');
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm ci in test/real-claude`);
  return path;
}

function packageFolder(name: string): string {
  const {resolve} = createRequire(import.meta.url);
  try {
    return dirname(resolve(`${name}/package.json`));
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci in test/real-claude`, {cause});
  }
}
