import {type BigIntStats, lstatSync} from 'node:fs';
import {lstat, realpath} from 'node:fs/promises';
import {sep} from 'node:path';
import type {Issue} from '@symphony-supervisor/protocol';
import {isSystemError} from '../answer.ts';
import {
  type FileFacts,
  type IssueText,
  isMalformed,
  type MalformedFile,
  nameOf,
  readIssueText,
  toFileIssue,
} from './normalize.ts';
import {contentOf, openRegularFile, textOf} from './regular-file.ts';

/** One file as last read. */
export interface FileRecord {
  readonly facts: FileFacts;
  readonly content: Issue | MalformedFile;
  /** The id in the file, and the id it had when it could last be read. */
  readonly names: readonly Names[];
  /** Changes with every write; null: read the file again next time. */
  readonly fingerprint: string | null;
}

interface Names {
  readonly id: string;
  readonly identifier: string;
}

interface Place {
  readonly path: string;
  readonly stat: BigIntStats;
  /** Why it must not be opened. */
  readonly problem: string | null;
}

/** null: the file does not exist (any more), or is a folder or a device. */
export async function readRecord(
  root: string,
  fileName: string,
  last: FileRecord | undefined,
): Promise<FileRecord | null> {
  const readAtMs = Date.now();
  const place = await locate(root, fileName, last !== undefined);
  if (place === null) return null;
  const {path, stat} = place;
  const fingerprint = [path, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join();
  if (last?.fingerprint === fingerprint) return last;
  const read = await readContent(place, fileName);
  if (read === null) return null;
  const facts = {path, fileName, bornAt: bornAt(stat, last), changedAt: stat.mtime};
  const content = isMalformed(read) ? read : toFileIssue(read, facts);
  return {
    facts,
    content,
    names: isMalformed(content) ? [content, ...(last?.names.slice(-1) ?? [])] : [content],
    fingerprint: isAtRest(stat, readAtMs) ? fingerprint : null,
  };
}

async function locate(root: string, fileName: string, isKnown: boolean): Promise<Place | null> {
  const path = `${root}${sep}${fileName}`;
  const stat = isKnown ? lstatKnown(path) : await lstatIfThere(path);
  if (stat === null) return null;
  if (!stat.isSymbolicLink()) return stat.isFile() ? {path, stat, problem: null} : null;
  const target = await realpath(path).catch(() => null);
  if (target === null) return {path, stat, problem: 'is a broken link'};
  if (!target.startsWith(root + sep)) {
    return {path, stat, problem: 'is a link out of the folder'};
  }
  const targetStat = await lstatIfThere(target);
  return targetStat?.isFile() ? {path: target, stat: targetStat, problem: null} : null;
}

/**
 * The file system has this cached for a file that existed a moment ago; an asynchronous call would
 * cost many times more.
 */
function lstatKnown(path: string): BigIntStats | null {
  return lstatSync(path, {bigint: true, throwIfNoEntry: false}) ?? null;
}

async function lstatIfThere(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, {bigint: true});
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

async function readContent(
  {path, problem}: Place,
  fileName: string,
): Promise<IssueText | MalformedFile | null> {
  if (problem !== null) return unreadable(fileName, problem);
  try {
    await using file = await openRegularFile(path);
    const content = textOf(await contentOf(file));
    return 'text' in content
      ? readIssueText(fileName, content.text)
      : unreadable(fileName, content.problem);
  } catch (error) {
    if (isGone(error)) return null;
    if (!isSystemError(error)) throw error;
    return unreadable(fileName, `cannot be read (${error.code})`);
  }
}

function unreadable(fileName: string, problem: string): MalformedFile {
  const identifier = nameOf(fileName);
  return {line: null, problem, id: identifier, identifier};
}

function isGone(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}

/**
 * Saving by rename, as this adapter does, creates a new file with a new birth time. The issue is as
 * old as the oldest file seen under its name.
 */
function bornAt(stat: BigIntStats, last: FileRecord | undefined): Date {
  const birth = stat.birthtimeMs > 0n ? stat.birthtime : stat.mtime;
  return last !== undefined && last.facts.bornAt < birth ? last.facts.bornAt : birth;
}

/**
 * Two writes within one tick of the file system's clock have the same time, and `Todo` is as long
 * as `Done`. A file therefore counts as known only if it was unchanged for a while when it was
 * read. Two seconds is the coarsest clock in use; a clock with fractions of a second ticks at least
 * every 10 ms.
 */
const COARSE_TICK_MS = 2_000;
const FINE_TICK_MS = 100;

export function isAtRest(
  {mtimeNs, ctimeNs}: Pick<BigIntStats, 'mtimeNs' | 'ctimeNs'>,
  readAtMs: number,
): boolean {
  const changedNs = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const tickMs = ctimeNs % 1_000_000_000n === 0n ? COARSE_TICK_MS : FINE_TICK_MS;
  return readAtMs - Number(changedNs / 1_000_000n) > tickMs;
}
