import * as fs from 'node:fs';
import {readRegularFile} from '@symphony-supervisor/protocol/regular-file';

// Node's file calls, made at once. A runner's are few and short, and a promise and a thread for each cost
// more than the call itself: an eighth of what a quick run takes. A disk that hangs stops the whole runner so,
// and its supervisor ends it for its silence. What may take long (a tree, a copy) is for node:fs/promises.

export async function lstat(path: string): Promise<fs.Stats> {
  return fs.lstatSync(path);
}

export async function stat(path: string): Promise<fs.Stats> {
  return fs.statSync(path);
}

export async function realpath(path: string): Promise<string> {
  return fs.realpathSync.native(path);
}

/** Of a small regular file; anything else is an error, because an agent may have put it there. */
export async function readText(path: string): Promise<string> {
  return readRegularFile(path).toString('utf8');
}

export async function readlink(path: string): Promise<string> {
  return fs.readlinkSync(path);
}

/** What is in a folder, in no order. */
export async function entriesOf(path: string): Promise<fs.Dirent[]> {
  return fs.readdirSync(path, {withFileTypes: true});
}

export async function writeFile(path: string, text: string, mode = 0o666): Promise<void> {
  fs.writeFileSync(path, text, {mode});
}

export async function mkdir(
  path: string,
  options: {recursive?: true; mode?: number} = {},
): Promise<void> {
  fs.mkdirSync(path, options);
}

export async function chmod(path: string, mode: number): Promise<void> {
  fs.chmodSync(path, mode);
}

export async function rename(from: string, to: string): Promise<void> {
  fs.renameSync(from, to);
}

export async function link(existing: string, path: string): Promise<void> {
  fs.linkSync(existing, path);
}

/** Also if it is gone already. */
export async function removeFile(path: string): Promise<void> {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

export async function rmdir(path: string): Promise<void> {
  fs.rmdirSync(path);
}
