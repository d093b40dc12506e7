import {constants, lstat, open} from 'node:fs/promises';

const MAX_BYTES = 1024 * 1024;

/**
 * Content of a regular file of at most `maxBytes`. For folders that an agent can write: a symbolic
 * link would lead out of them, and opening a FIFO or a device can block for ever.
 */
export async function readRegularFile(path: string, maxBytes = MAX_BYTES): Promise<Buffer> {
  if (!(await lstat(path)).isFile()) throw new Error(`${path} is not a regular file`);
  // What stands there may have changed since; opened like this, it still cannot block.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags);
  try {
    const opened = await file.stat();
    if (!opened.isFile()) throw new Error(`${path} is not a regular file`);
    if (opened.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
