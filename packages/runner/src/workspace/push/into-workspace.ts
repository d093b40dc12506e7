import {constants, copyFile, rename as move, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {entriesOf, lstat, mkdir, orNull, writeFile} from '../../processes/files.ts';
import {freshId} from '../../processes/fresh-id.ts';
import type {BorrowedRepository} from './borrowed-repository.ts';
import {Refusal} from './refusal.ts';

/** git takes a pack for present as soon as its index is there, so the index comes last. */
const PARTS = ['.pack', '.rev', '.idx'];

/** Moves the packs that a fetch has brought into the workspace's object folder. */
export async function handOverPacks({folder, commonDir}: BorrowedRepository): Promise<void> {
  const from = join(folder.dir, 'objects/pack');
  const to = join(commonDir, 'objects/pack');
  const names = ((await orNull(entriesOf(from))) ?? []).map(({name}) => name);
  if (names.length > 0) await ensureFolder(to);
  for (const part of PARTS) {
    for (const name of names.filter((name) => name.endsWith(part))) {
      await moveFile(join(from, name), join(to, name));
    }
  }
}

/** By rename, which replaces a link instead of following it. The workspace can be on another disk. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await move(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const draft = `${to}.${freshId()}`;
    await copyFile(from, draft, constants.COPYFILE_EXCL);
    await move(draft, to);
  }
}

/** The name of the ref that holds a commit for the agent. */
export function refName(repository: BorrowedRepository, name: 'base' | 'head'): string {
  return `${namespaceOf(repository)}/${name}`;
}

/**
 * Points a ref of the workspace to a commit, or removes it. Written as a file, because git would read the workspace's
 * configuration. All of the namespace is ours: what an agent has put in the way is removed.
 */
export async function writeRef(
  repository: BorrowedRepository,
  name: 'base' | 'head',
  commit: string | null,
): Promise<void> {
  const {gitDir} = repository;
  let folder = join(gitDir, 'refs');
  await ensureFolder(folder);
  for (const part of namespaceOf(repository).split('/').slice(1)) {
    folder = join(folder, part);
    if (!(await orNull(lstat(folder)))?.isDirectory()) await rm(folder, {force: true});
    await ensureFolder(folder);
  }
  const path = join(folder, name);
  if (!(await orNull(lstat(path)))?.isFile() || commit === null) {
    await rm(path, {recursive: true, force: true});
  }
  if (commit === null) return;
  const draft = join(repository.folder.dir, `ref-${name}`);
  await writeFile(draft, `${commit}\n`);
  await moveFile(draft, path);
}

/** Those of a worktree are its own: the worktrees of other issues share all other refs with it. */
function namespaceOf({gitDir, commonDir}: BorrowedRepository): string {
  return gitDir === commonDir ? 'refs/symphony' : 'refs/worktree/symphony';
}

async function ensureFolder(path: string): Promise<void> {
  const entry = await orNull(lstat(path));
  if (entry === null) await mkdir(path);
  else if (!entry.isDirectory()) {
    throw new Refusal('unsafe_repository', `${path} is not a folder`);
  }
}
