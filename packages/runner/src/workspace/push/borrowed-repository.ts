import {join} from 'node:path';
import {lstat, orNull, readRegularText, writeFile} from '../../processes/files.ts';
import type {GitPlaces} from '../git/git-places.ts';
import {readRefs} from '../git/git-refs.ts';
import {Pace} from '../pace.ts';
import type {Remote} from './access.ts';
import {borrowObjects} from './borrowed-objects.ts';
import {PrivateFolder, type Tools} from './private-folder.ts';
import {Refusal} from './refusal.ts';

/** A workspace's repository, by what was recorded before an agent ran. */
export interface Repository {
  /** From `findGit`. */
  readonly places: GitPlaces;
  /** Real paths of the alternates that the object folder had when `after_create` had ended. */
  readonly alternates: readonly string[];
}

const BORROW_MS = 60_000;
const SHA256_LENGTH = 64;
const SHA_LINES = /^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?\n)*$/;

/**
 * The objects of a workspace, borrowed by a private folder. git sees nothing else of the workspace: no configuration,
 * hooks, attributes or index, all of which an agent can write. HEAD is read without git.
 */
export class BorrowedRepository implements AsyncDisposable {
  readonly folder: PrivateFolder;
  readonly head: string;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Alternates that were not there at the start, and whose objects are not borrowed. */
  readonly distrusted: readonly string[];

  private constructor(
    folder: PrivateFolder,
    head: string,
    gitDir: string,
    commonDir: string,
    distrusted: readonly string[],
  ) {
    this.folder = folder;
    this.head = head;
    this.gitDir = gitDir;
    this.commonDir = commonDir;
    this.distrusted = distrusted;
  }

  /** Throws a `Refusal` if the repository cannot be borrowed safely. */
  static async open(
    {places: {gitDir, commonDir}, alternates}: Repository,
    remote: Remote,
    tools: Tools,
  ): Promise<BorrowedRepository> {
    if (gitDir === null || commonDir === null) {
      throw new Refusal('no_repository', 'the workspace has no git repository');
    }
    const {head} = await readRefs(gitDir, commonDir).catch((error: Error) => {
      throw new Refusal('unsafe_repository', `the refs cannot be read: ${error.message}`);
    });
    if (head === null) throw new Refusal('no_repository', 'HEAD points to no commit');
    const format = head.length === SHA256_LENGTH ? 'sha256' : 'sha1';
    const folder = await PrivateFolder.create(format, remote, tools);
    try {
      await copyShallow(commonDir, folder.dir);
      const borrowed = join(folder.dir, 'borrowed');
      using pace = new Pace(BORROW_MS);
      const objects = join(commonDir, 'objects');
      const distrusted = await borrowObjects(objects, borrowed, alternates, pace);
      await writeFile(join(folder.dir, 'objects/info/alternates'), `${borrowed}\n`);
      return new BorrowedRepository(folder, head, gitDir, commonDir, distrusted);
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.folder[Symbol.asyncDispose]();
  }
}

/** Without it git would look for parents that were never fetched. */
async function copyShallow(commonDir: string, dir: string): Promise<void> {
  const path = join(commonDir, 'shallow');
  if ((await orNull(lstat(path))) === null) return;
  const text = await orNull(readRegularText(path));
  if (text === null || !SHA_LINES.test(text)) {
    throw new Refusal('unsafe_repository', `${path} is not a list of commits`);
  }
  await writeFile(join(dir, 'shallow'), text);
}
