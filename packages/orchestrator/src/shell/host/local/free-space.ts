import {stat, statfs} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Shortage} from '../host.ts';

/** With less, a clone or a build fails halfway; better not to start. */
const LEAST_BYTES = 500_000_000;

/** The first of these folders with too little disk space for a run; null if there is none. */
export async function shortageIn(folders: readonly string[]): Promise<Shortage | null> {
  for (const folder of folders) {
    const room = await roomIn(folder);
    if (room === null || room.freeBytes >= LEAST_BYTES) continue;
    const {freeBytes, device} = room;
    const megabytes = Math.floor(freeBytes / 1_000_000);
    const message = `only ${megabytes} MB are free in ${folder}; a run needs ${LEAST_BYTES / 1_000_000} MB`;
    return {message, missingBytes: LEAST_BYTES - freeBytes, device};
  }
  return null;
}

/** Of the nearest existing folder: a workspace root is created when it is first needed. */
async function roomIn(folder: string): Promise<{freeBytes: number; device: number} | null> {
  try {
    const [{bavail, bsize}, {dev}] = await Promise.all([statfs(folder), stat(folder)]);
    return {freeBytes: bavail * bsize, device: dev};
  } catch {
    const parent = dirname(folder);
    return parent === folder ? null : roomIn(parent);
  }
}
