import {open} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {until} from '../rig/survivors.ts';

/** Something that a process of a run has just noted down. */
export interface Fact {
  readonly issue: string;
  readonly runner: number;
  /** null while a hook runs. */
  readonly agent: number | null;
}

/** Shell text by which a hook notes that it runs, in the journal of the agents' kind. */
export const NOTE_HOOK =
  'echo "{\\"cwd\\":\\"$PWD\\",\\"parent\\":$PPID,\\"pid\\":null}" >> ../../hooks';

/** Follows what hooks and agents note, so that a moment can be chosen by what has happened. */
export class Facts {
  readonly #files: {readonly path: string; at: number; rest: string}[];
  #seen: Fact[] = [];

  constructor(folder: string) {
    this.#files = ['journal', 'hooks'].map((name) => ({path: join(folder, name), at: 0, rest: ''}));
  }

  /** The nth fact from now on. */
  async next(nth: number): Promise<Fact> {
    await this.#look();
    this.#seen = [];
    const found = await until(async () => {
      await this.#look();
      return this.#seen[nth - 1] ?? null;
    });
    if (found === null) throw new Error('nothing happens any more');
    return found;
  }

  async #look(): Promise<void> {
    for (const file of this.#files) {
      const text = file.rest + (await this.#more(file));
      const lines = text.split('\n');
      file.rest = lines.pop() ?? '';
      for (const line of lines) {
        const {cwd, parent, pid} = JSON.parse(line);
        this.#seen.push({issue: basename(cwd), runner: parent, agent: pid});
      }
    }
  }

  async #more(file: {readonly path: string; at: number}): Promise<string> {
    try {
      await using handle = await open(file.path, 'r');
      const {size} = await handle.stat();
      const {bytesRead, buffer} = await handle.read(
        Buffer.alloc(size - file.at),
        0,
        size - file.at,
        file.at,
      );
      file.at += bytesRead;
      return buffer.toString('utf8', 0, bytesRead);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}
