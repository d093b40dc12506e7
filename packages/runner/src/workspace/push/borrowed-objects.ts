import {symlink} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {
  answered,
  entriesOf,
  lstat,
  mkdir,
  orNull,
  readRegularText,
  realpath,
  writeFile,
} from '../../processes/files.ts';
import type {Pace} from '../pace.ts';
import {BY_HOOK, Refusal} from './refusal.ts';

const LOOSE = /^[0-9a-f]{2}$/;
/** Not the caches beside them, which an agent can write: graphs, bitmaps, reverse indexes. */
const PACK = /^pack-[0-9a-f]{40}(?:[0-9a-f]{24})?\.(?:pack|idx)$/;

/**
 * Makes `into` an object folder that borrows all objects of another one by links. The folder itself could be named as
 * an alternate, but then git would follow the alternates in it, which an agent can write: they would push objects of
 * other repositories. git would also start a process under the configuration beside a folder that is called `objects`,
 * to list its refs; so `into` must not be called like that.
 * Returns alternates that are not trusted; their objects are missing.
 */
export async function borrowObjects(
  objects: string,
  into: string,
  trusted: readonly string[],
  pace: Pace,
): Promise<readonly string[]> {
  await assertFolder(objects);
  for (const folder of ['pack', 'info']) await mkdir(join(into, folder), {recursive: true});
  for (const {name} of await entriesOf(objects)) {
    await pace.next();
    const path = join(objects, name);
    if (LOOSE.test(name)) {
      await assertFolder(path);
      await regularFiles(path, pace);
      await borrow(path, join(into, name));
    } else if (name === 'pack') {
      await assertFolder(path);
      for (const file of (await regularFiles(path, pace)).filter((file) => PACK.test(file))) {
        await borrow(join(path, file), join(into, name, file));
      }
    }
  }
  const alternates = await alternatesOf(objects);
  const isTrusted = (path: string): boolean => trusted.includes(path);
  await writeFile(join(into, 'info/alternates'), lines(alternates.filter(isTrusted)));
  return alternates.filter((path) => !isTrusted(path));
}

/** The real paths of the folders that an object folder names as its alternates. */
export async function alternatesOf(objects: string): Promise<readonly string[]> {
  const list = join(objects, 'info/alternates');
  if ((await orNull(lstat(list))) === null) return [];
  const text = await readRegularText(list).catch((error: Error) => {
    throw new Refusal('unsafe_repository', `${error.message}. ${BY_HOOK}`);
  });
  const named = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Promise.all(
    named.map(async (line) => {
      const path = resolve(objects, line);
      return (await orNull(realpath(path))) ?? path;
    }),
  );
}

/** All names in a folder. A link would push what is elsewhere, and a pipe would block git. */
async function regularFiles(folder: string, pace: Pace): Promise<string[]> {
  await pace.next();
  const entries = await entriesOf(folder);
  const odd = entries.find((entry) => !entry.isFile());
  if (odd !== undefined) throw unsafe(join(folder, odd.name), 'a regular file');
  return entries.map(({name}) => name);
}

async function assertFolder(path: string): Promise<void> {
  if (!(await orNull(lstat(path)))?.isDirectory()) throw unsafe(path, 'a folder');
}

async function borrow(from: string, to: string): Promise<void> {
  await answered(to, symlink(from, to));
}

function lines(paths: readonly string[]): string {
  return paths.map((path) => `${path}\n`).join('');
}

function unsafe(path: string, what: string): Refusal {
  return new Refusal('unsafe_repository', `${path} is not ${what}. ${BY_HOOK}`);
}
