import type {FileHandle} from 'node:fs/promises';
import type {PageWish, TranscriptPage} from '../transcripts.ts';

const BLOCK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Position of the requested lines, in bytes. */
type Found = Pick<TranscriptPage, 'start' | 'end' | 'size'>;

/** Finds the page and reads only as much of the file as the search for line ends needs. */
export async function findPage(file: FileHandle, wish: PageWish): Promise<Found> {
  const size = await lineStartBefore(file, (await file.stat()).size, 1);
  const start = await startOf(file, wish, size);
  if (wish.limit === null || start + wish.limit >= size) return {start, end: size, size};
  // The limit itself may be a line's end.
  return {start, end: await lineStartAfter(file, start + wish.limit - 1, size), size};
}

async function startOf(file: FileHandle, {offset, tail}: PageWish, size: number): Promise<number> {
  const from =
    offset >= size ? size : offset === 0 ? 0 : await lineStartAfter(file, offset - 1, size);
  if (tail === null) return from;
  return tail === 0 ? size : Math.max(from, await lineStartBefore(file, size, tail + 1));
}

/** Just behind the n-th newline, counted backwards from `end`; 0 if there are fewer. */
async function lineStartBefore(file: FileHandle, end: number, n: number): Promise<number> {
  const block = Buffer.alloc(BLOCK_BYTES);
  let seen = 0;
  for (let blockEnd = end; blockEnd > 0; blockEnd -= BLOCK_BYTES) {
    const blockStart = Math.max(0, blockEnd - BLOCK_BYTES);
    const {bytesRead} = await file.read(block, 0, blockEnd - blockStart, blockStart);
    for (let at = bytesRead - 1; at >= 0; at--) {
      if (block[at] === NEWLINE && ++seen === n) return blockStart + at + 1;
    }
  }
  return 0;
}

/** Just behind the first newline at or after `from`; `size` if there is none. */
async function lineStartAfter(file: FileHandle, from: number, size: number): Promise<number> {
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let at = from; at < size; at += BLOCK_BYTES) {
    const {bytesRead} = await file.read(block, 0, Math.min(BLOCK_BYTES, size - at), at);
    const found = block.subarray(0, bytesRead).indexOf(NEWLINE);
    if (found >= 0) return at + found + 1;
  }
  return size;
}
