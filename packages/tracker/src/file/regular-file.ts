import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';

/** Far longer than any issue written by hand; a longer file is not an issue. */
const MAX_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** Never follows a symbolic link, and never blocks on a FIFO. */
export function openRegularFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Reads from the beginning on every call; of a file that is too long, only enough to know that. */
export async function contentOf(file: FileHandle): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let length = 0; length <= MAX_BYTES; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const {bytesRead} = await file.read(chunk, 0, CHUNK_BYTES, length);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks);
}

export function textOf(bytes: Buffer): {readonly text: string} | {readonly problem: string} {
  if (bytes.length > MAX_BYTES) return {problem: 'is longer than 1 MB'};
  try {
    // Strict decoding: a character lost on reading would be lost on disk with the next write.
    return {text: new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)};
  } catch {
    return {problem: 'is not UTF-8 text'};
  }
}
