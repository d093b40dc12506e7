import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';

/** A file that the settings name as the source of a secret. */
export interface SecretFile {
  readonly path: string;
  /** Adds an error at the key that names the file. */
  readonly report: (problem: string) => void;
}

/** Even an otherwise empty file has a line end; no secret is this short. */
const MIN_BYTES = 3;

/**
 * Reports files that cannot hold a secret. The content is not read: only the tracker thread holds secrets,
 * and it reads the file itself.
 */
export async function checkSecretFiles(files: readonly SecretFile[]): Promise<void> {
  for (const {path, report} of files) {
    const problem = await problemOf(path);
    if (problem !== null) report(problem);
  }
}

async function problemOf(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return 'is a folder; give the path of the file with the secret';
    if (stats.isFile() && stats.size < MIN_BYTES) return 'is empty; put the secret into it';
    await access(path, constants.R_OK);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return 'does not exist; put the secret there, or give another path';
    if (code === 'EACCES')
      return "cannot be read: permission denied; make it readable for the supervisor's user";
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
