import {readdir, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {isSystemError, TrackerProblem} from '../answer.ts';
import {mapBounded} from '../bounded.ts';
import {type MalformedRecord, type NamedIssue, type Records, separateTwins} from '../records.ts';
import {type FileFacts, type FindIssue, isMalformed, withBlockers} from './normalize.ts';
import {type FileRecord, readRecord} from './record.ts';

/** Files read concurrently: enough to hide a slow disk, far below any limit on open files. */
const SIDE_BY_SIDE = 32;

/** The content of the folder at one moment. */
export interface FolderView extends Records {
  /** By the id of the issue. */
  readonly files: ReadonlyMap<string, FileFacts>;
  readonly find: FindIssue;
}

/** A folder of issues with a cache of its files; only changed files are read again. */
export class IssueFolder {
  readonly path: string;
  #remembered: ReadonlyMap<string, FileRecord> = new Map();
  #reading: Promise<unknown> = Promise.resolve();
  #next: Promise<FolderView> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * One read at a time: calls made during a read share the next read, which starts after they were
   * made.
   */
  async read(signal: AbortSignal): Promise<FolderView> {
    this.#next ??= this.#reading.then(() => {
      this.#next = null;
      const reading = this.#readAll();
      this.#reading = reading.catch(() => {});
      return reading;
    });
    const view = await this.#next;
    signal.throwIfAborted();
    return view;
  }

  async #readAll(): Promise<FolderView> {
    const {root, names} = await this.#list();
    const records = await mapBounded(names, SIDE_BY_SIDE, (name) =>
      readRecord(root, name, this.#remembered.get(name)),
    );
    const present = records.filter((record) => record !== null);
    this.#remembered = new Map(present.map((record) => [record.facts.fileName, record]));
    return this.#view(present);
  }

  #view(records: readonly FileRecord[]): FolderView {
    const malformed: MalformedRecord[] = [];
    const named: (NamedIssue & {readonly facts: FileFacts})[] = [];
    for (const {facts, content, names} of records) {
      const where = join(this.path, facts.fileName);
      if (isMalformed(content)) {
        malformed.push({
          problem: `${where}${content.line === null ? '' : `:${content.line}`}: ${content.problem}`,
          ids: names.map(({id}) => id),
          identifiers: names.map(({identifier}) => identifier),
        });
      } else {
        named.push({where, facts, issue: content});
      }
    }
    const unique = separateTwins(named);
    const byIdentifier = new Map(unique.kept.map(({issue}) => [issue.identifier, issue]));
    const find: FindIssue = (identifier) => byIdentifier.get(identifier);
    return {
      issues: unique.kept.map(({issue}) => withBlockers(issue, find)),
      malformed: [...malformed, ...unique.malformed],
      files: new Map(unique.kept.map(({issue, facts}) => [issue.id, facts])),
      find,
    };
  }

  async #list(): Promise<{root: string; names: string[]}> {
    try {
      // The folder itself may be a symbolic link; its files are judged by their real path.
      const root = await realpath(this.path);
      return {root, names: (await readdir(root)).filter(isIssueFile).sort()};
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const hint = 'create it, or set tracker.provider.path to the folder of your issues';
      const message = `the issue folder ${this.path} cannot be read (${error.code}): ${hint}`;
      throw new TrackerProblem({code: 'tracker_request', message}, {cause: error});
    }
  }
}

/** Hidden files are not issues: editors and this adapter keep temporary files there. */
export function isIssueFile(name: string): boolean {
  return name.endsWith('.md') && !name.startsWith('.');
}
