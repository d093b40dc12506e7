import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {codexBinary} from './codex-binary.ts';
import {type CodexSettings, codexConfig} from './codex-config.ts';

/**
 * Not below the temporary folder: there Codex refuses to make its helper binaries. Node's own folder
 * for packages is ignored by git and goes away with a new `npm ci`.
 */
const HOMES = join(import.meta.dirname, '../node_modules', '.codex-homes');

/**
 * A private `CODEX_HOME` with the real binary to it. Several first starts at once in a fresh home
 * kill one another; whoever runs agents in parallel starts one alone before.
 */
export class CodexHome {
  readonly path: string;
  readonly binary: string;
  /** What Codex must find in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** As a workflow's `codex.command`: needs none of `env` but the key. */
  readonly command: string;

  private constructor(path: string, settings: CodexSettings) {
    this.path = path;
    this.binary = codexBinary();
    this.env = {
      CODEX_HOME: path,
      ...(settings.key === undefined ? {} : {[settings.key.name]: settings.key.value}),
    };
    this.command = `CODEX_HOME=${quoted(path)} ${quoted(this.binary)} app-server`;
  }

  static async create(settings: CodexSettings): Promise<CodexHome> {
    await mkdir(HOMES, {recursive: true});
    const home = new CodexHome(await mkdtemp(join(HOMES, 'home-')), settings);
    await writeFile(join(home.path, 'config.toml'), codexConfig(settings));
    return home;
  }

  /** Retried: Codex may still be closing its databases when its process is reported gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
