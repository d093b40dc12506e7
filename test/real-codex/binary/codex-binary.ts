import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';

/** Codex keeps the binary of each platform in a package of its own, below the name of its target. */
const TARGETS: Readonly<Record<string, {readonly package: string; readonly triple: string}>> = {
  'linux-x64': {package: '@openai/codex-linux-x64', triple: 'x86_64-unknown-linux-musl'},
  'linux-arm64': {package: '@openai/codex-linux-arm64', triple: 'aarch64-unknown-linux-musl'},
  'darwin-x64': {package: '@openai/codex-darwin-x64', triple: 'x86_64-apple-darwin'},
  'darwin-arm64': {package: '@openai/codex-darwin-arm64', triple: 'aarch64-apple-darwin'},
};

/** The binary itself: the `codex` that npm links is a Node wrapper, with a pid of its own. */
export function codexBinary(): string {
  const platform = `${process.platform}-${process.arch}`;
  const target = TARGETS[platform];
  if (target === undefined) throw new Error(`there is no Codex for ${platform}`);
  const path = join(packageFolder(target.package), 'vendor', target.triple, 'bin', 'codex');
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm ci in test/real-codex`);
  return path;
}

function packageFolder(name: string): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci in test/real-codex`, {cause});
  }
}
