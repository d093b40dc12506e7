import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';

/** Nobody writes an issue this long by hand; something else has got into the folder. */
const MAX_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** Never follows a link, and never waits for the other end of a pipe. */
export function openRegularFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** From the beginning, however often; of a file that is too long only so much that this shows. */
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
    // Strict, because what is lost on reading would be lost on disk with the next write.
    return {text: new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)};
  } catch {
    return {problem: 'is not UTF-8 text'};
  }
}
