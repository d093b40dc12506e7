import {access, open, readdir, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {
  Freed,
  IsLive,
  OldTranscripts,
  PageWish,
  TranscriptPage,
  Transcripts,
} from '../transcripts.ts';
import {findPage} from './transcript-page.ts';

interface LogFile {
  readonly path: string;
  readonly bytes: number;
  readonly writtenAt: number;
}

/** The logs in a folder of this machine. Only transcripts of ended runs are deleted. */
export class TranscriptFolder implements Transcripts {
  readonly #root: string;
  readonly #runs: string;
  /** A transcript does not change after its run, so its size is read once. */
  readonly #ended = new Map<string, LogFile>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    this.#root = root;
    this.#runs = join(root, 'runs');
  }

  pathOf(runId: string): string {
    return join(this.#runs, `${runId}.jsonl`);
  }

  async among(runIds: readonly string[]): Promise<ReadonlySet<string>> {
    const looks = runIds.map((runId) =>
      access(this.pathOf(runId)).then(
        () => [runId],
        () => [],
      ),
    );
    return new Set((await Promise.all(looks)).flat());
  }

  async read(runId: string, wish: PageWish): Promise<TranscriptPage | null> {
    const file = await open(this.pathOf(runId)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (file === null) return null;
    let isHandedOn = false;
    try {
      const page = await findPage(file, wish);
      const {start, end} = page;
      isHandedOn = end > start;
      // The stream closes the file, also when the client disconnects.
      return {...page, body: isHandedOn ? file.createReadStream({start, end: end - 1}) : null};
    } finally {
      if (!isHandedOn) await file.close();
    }
  }

  async remove(runIds: readonly string[]): Promise<void> {
    for (const runId of runIds) await rm(this.pathOf(runId), {force: true});
  }

  async removeOld({ofRuns, ofSmallJobs}: OldTranscripts, isLive: IsLive): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.#runs).catch(() => [])) {
      const runId = name.replace(/\.jsonl$/, '');
      if (runId === name || isLive(runId)) continue;
      const before = runId.includes('-job-') ? ofSmallJobs : ofRuns;
      const written = await stat(join(this.#runs, name)).catch(() => null);
      if (written === null || written.mtimeMs > before) continue;
      await rm(join(this.#runs, name), {force: true});
      removed++;
    }
    return removed;
  }

  keepBelow(bytes: number, isLive: IsLive): Promise<Freed> {
    return this.#inTurn(async () => {
      const transcripts = await this.#transcripts(isLive);
      const files = [...transcripts, ...(await this.#others())];
      const total = files.reduce((sum, file) => sum + file.bytes, 0);
      return deleteOldest(transcripts, total - bytes);
    });
  }

  giveBack(bytes: number, device: number, isLive: IsLive): Promise<Freed> {
    return this.#inTurn(async () => {
      const own = await stat(this.#runs).catch(() => null);
      const transcripts = own?.dev === device ? await this.#transcripts(isLive) : [];
      return deleteOldest(transcripts, bytes);
    });
  }

  /** Two runs in parallel would count the same files, and delete twice as many. */
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

/** Or left by a runner that died while it truncated its own transcript. */
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
