import {execFileSync} from 'node:child_process';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A folder that is gone when the test is. */
export async function aFolder(): Promise<AsyncDisposable & {path: string}> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'symphony-test-')));
  return {
    path,
    [Symbol.asyncDispose]: () =>
      rm(path, {recursive: true, force: true, maxRetries: 3}).catch(() => {
        execFileSync('rm', ['-rf', '--', path]); // deeper than Node can name
      }),
  };
}
