import {readdir, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {LogSettings} from '@symphony-supervisor/protocol';
import type {State} from '../../core/state.ts';

/** Of the first file, because the logs of all projects share a folder; null before it is loaded. */
export function logSettingsOf({projects}: State): LogSettings | null {
  const [first] = projects.values();
  return first?.workflow.settings.logs ?? null;
}

export interface Freed {
  readonly transcripts: number;
  readonly bytes: number;
}

interface LogFile {
  readonly path: string;
  readonly bytes: number;
  readonly writtenAt: number;
}

/** `isLive`: its files are neither counted nor deleted. */
type IsLive = (runId: string) => boolean;

/** The logs on disk, and how much room they take. Only transcripts of ended runs are ever deleted. */
export class LogFolder {
  readonly #root: string;
  readonly #runs: string;
  /** A transcript does not change after its run, so it is looked at once. */
  readonly #ended = new Map<string, LogFile>();

  #last: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    this.#root = root;
    this.#runs = join(root, 'runs');
  }

  /** Deletes transcripts, oldest first, until all that is not live takes no more than this. */
  keepBelow(bytes: number, isLive: IsLive): Promise<Freed> {
    return this.#inTurn(async () => {
      const transcripts = await this.#transcripts(isLive);
      const files = [...transcripts, ...(await this.#others())];
      const total = files.reduce((sum, file) => sum + file.bytes, 0);
      return deleteOldest(transcripts, total - bytes);
    });
  }

  /** The same until this much more room is free on the disk; nothing if the logs are on another one. */
  giveBack(bytes: number, device: number, isLive: IsLive): Promise<Freed> {
    return this.#inTurn(async () => {
      const own = await stat(this.#runs).catch(() => null);
      const transcripts = own?.dev === device ? await this.#transcripts(isLive) : [];
      return deleteOldest(transcripts, bytes);
    });
  }

  /** Two at a time would count the same files, and delete twice as many. */
  #inTurn(act: () => Promise<Freed>): Promise<Freed> {
    const acting = this.#last.then(act);
    this.#last = acting.catch(() => {});
    return acting;
  }

  async #transcripts(isLive: IsLive): Promise<LogFile[]> {
    const names = await readdir(this.#runs).catch(() => []);
    const ended = new Set(names.filter((name) => isTranscript(name) && !isLive(runIdOf(name))));
    for (const known of this.#ended.keys()) if (!ended.has(known)) this.#ended.delete(known);
    for (const name of ended) {
      if (this.#ended.has(name)) continue;
      const file = await look(join(this.#runs, name));
      if (file !== null) this.#ended.set(name, file);
    }
    return [...this.#ended.values()];
  }

  /** The supervisor's own log, which is rotated. */
  async #others(): Promise<LogFile[]> {
    const names = await readdir(this.#root).catch(() => []);
    const files = await Promise.all(names.map((name) => look(join(this.#root, name))));
    return files.filter((file) => file !== null);
  }
}

async function deleteOldest(files: readonly LogFile[], tooMuch: number): Promise<Freed> {
  let bytes = 0;
  let transcripts = 0;
  for (const file of files.toSorted((a, b) => a.writtenAt - b.writtenAt)) {
    if (bytes >= tooMuch) break;
    await rm(file.path, {force: true});
    bytes += file.bytes;
    transcripts++;
  }
  return {transcripts, bytes};
}

/** Or what a runner left that died while it shortened its own. */
function isTranscript(name: string): boolean {
  return /\.jsonl(\.new)?$/.test(name);
}

function runIdOf(name: string): string {
  return name.replace(/\.jsonl.*$/, '');
}

async function look(path: string): Promise<LogFile | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return null;
  return {path, bytes: found.size, writtenAt: found.mtimeMs};
}
