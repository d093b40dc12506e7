import {closeSync, constants, fstatSync, lstatSync, openSync, readFileSync} from 'node:fs';

const MAX_BYTES = 1024 * 1024;

/**
 * Content of a regular file of at most `maxBytes`. For folders that an agent can write: a symbolic
 * link would lead out of them, and opening a FIFO or a device can block for ever.
 */
export function readRegularFile(path: string, maxBytes = MAX_BYTES): Buffer {
  const named = lstatSync(path);
  if (!named.isFile()) throw new Error(`${path} is not a regular file`);
  // The path may have changed since; opened like this, it still cannot block.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = fstatSync(file);
    if (!opened.isFile()) throw new Error(`${path} is not a regular file`);
    if (opened.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
