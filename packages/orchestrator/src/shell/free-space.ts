import {statfs} from 'node:fs/promises';
import {dirname} from 'node:path';

/** Below this a clone or a build fails half-way; better not to begin. */
const LEAST_BYTES = 500_000_000;

/** Which of these folders has too little room for a run, in words; null if none has. */
export async function shortageIn(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const free = await freeBytes(folder);
    if (free === null || free >= LEAST_BYTES) continue;
    const megabytes = Math.floor(free / 1_000_000);
    return `only ${megabytes} MB are free in ${folder}; at least ${LEAST_BYTES / 1_000_000} MB are needed`;
  }
  return null;
}

/** Of the nearest folder that exists: a workspace root is made when it is first needed. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const {bavail, bsize} = await statfs(folder);
    return bavail * bsize;
  } catch {
    const parent = dirname(folder);
    return parent === folder ? null : freeBytes(parent);
  }
}
