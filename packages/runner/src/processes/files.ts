import type {Dirent, Stats} from 'node:fs';
import * as fs from 'node:fs/promises';
import {RunFailure} from '@symphony-supervisor/protocol';
import {readRegularFile} from '@symphony-supervisor/protocol/regular-file';

// Node's file calls, each with a deadline. On a file server that hangs, a call does not return: heartbeats continue,
// and then the run fails and names the path. Operations that take long by nature (the removal of a tree) use
// node:fs/promises.

/** A disk under heavy load responds within seconds. */
const LIMIT_MS = 60_000;

/** A file call without a response. The call itself may still be carried out. */
export class DiskSilent extends RunFailure {
  constructor(path: string, limitMs: number) {
    super('workspace_error', `${path}: the disk did not respond within ${limitMs / 1000} s`);
  }
}

export async function answered<T>(path: string, call: Promise<T>, limitMs = LIMIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DiskSilent(path, limitMs)), limitMs);
  });
  try {
    return await Promise.race([call, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** null if the call fails, but not if the disk does not respond: that says nothing about the file. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DiskSilent) throw error;
    return null;
  }
}

export function lstat(path: string): Promise<Stats> {
  return answered(path, fs.lstat(path));
}

export function stat(path: string): Promise<Stats> {
  return answered(path, fs.stat(path));
}

export function realpath(path: string): Promise<string> {
  return answered(path, fs.realpath(path));
}

/** Of a regular file; anything else is an error, because an agent may have put it there. */
export function readRegular(path: string, maxBytes?: number): Promise<Buffer> {
  return answered(path, readRegularFile(path, maxBytes));
}

export async function readRegularText(path: string, maxBytes?: number): Promise<string> {
  return (await readRegular(path, maxBytes)).toString('utf8');
}

export function readlink(path: string): Promise<string> {
  return answered(path, fs.readlink(path));
}

/** The entries of a folder, in no order. */
export function entriesOf(path: string): Promise<Dirent[]> {
  return answered(path, fs.readdir(path, {withFileTypes: true}));
}

export function writeFile(path: string, data: string | Buffer, mode = 0o666): Promise<void> {
  return answered(path, fs.writeFile(path, data, {mode}));
}

export async function mkdir(
  path: string,
  options: {recursive?: true; mode?: number} = {},
): Promise<void> {
  await answered(path, fs.mkdir(path, options));
}

export function chmod(path: string, mode: number): Promise<void> {
  return answered(path, fs.chmod(path, mode));
}

export function utimes(path: string, atime: Date, mtime: Date): Promise<void> {
  return answered(path, fs.utimes(path, atime, mtime));
}

export function rename(from: string, to: string): Promise<void> {
  return answered(to, fs.rename(from, to));
}

export function link(existing: string, path: string): Promise<void> {
  return answered(path, fs.link(existing, path));
}

/** Also if it does not exist. */
export async function removeFile(path: string): Promise<void> {
  try {
    await answered(path, fs.unlink(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

export function rmdir(path: string): Promise<void> {
  return answered(path, fs.rmdir(path));
}
