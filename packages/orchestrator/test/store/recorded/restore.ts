import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';

const HERE = new URL('.', import.meta.url);

/** The versions of the store of which there is a recording, oldest first. */
export const RECORDED: readonly number[] = readdirSync(HERE)
  .flatMap((name) => /^v(\d+)\.sql$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

/** Makes the store again that a release left; its projects were at work in `folder`. */
export function restoreStore(version: number, stateDir: string, folder: string): void {
  mkdirSync(stateDir, {recursive: true, mode: 0o700});
  const db = new DatabaseSync(join(stateDir, 'symphony.db'));
  try {
    db.exec(recorded(`v${version}.sql`, folder));
  } finally {
    db.close();
  }
}

/** Makes the conversations again that the scripted agents had kept in their home. */
export function restoreThreads(version: number, home: string, folder: string): void {
  const threads = join(home, 'threads');
  mkdirSync(threads, {recursive: true});
  for (const line of recorded(`v${version}.threads.jsonl`, folder).trimEnd().split('\n')) {
    const {id}: {id: string} = JSON.parse(line);
    writeFileSync(join(threads, `${id}.json`), line);
  }
}

function recorded(name: string, folder: string): string {
  return readFileSync(new URL(name, HERE), 'utf8').replaceAll('{folder}', folder);
}
