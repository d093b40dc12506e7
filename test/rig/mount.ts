import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const isRoot = process.getuid?.() === 0;

/** Why no file system can be mounted here, for a test that is skipped; false where one can. */
export function mountProblem(): string | false {
  if (!isRoot) return 'only root may mount a file system';
  const folder = mkdtempSync(join(tmpdir(), 'symphony-mount-'));
  try {
    Mount.small(folder, 64)[Symbol.dispose]();
    return false;
  } catch {
    return 'this machine lets nobody mount a file system';
  } finally {
    rmSync(folder, {recursive: true});
  }
}

/** A file system of the test's own over a folder, for what only a real one does. */
export class Mount implements Disposable {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  static small(path: string, kilobytes: number): Mount {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'none', path]);
    return new Mount(path);
  }

  static readOnly(path: string): Mount {
    execFileSync('mount', ['--bind', path, path]);
    const mount = new Mount(path);
    execFileSync('mount', ['-o', 'remount,bind,ro', path]);
    return mount;
  }

  /** Lazily: a closed connection may still have the file open. */
  [Symbol.dispose](): void {
    execFileSync('umount', ['-l', this.#path]);
  }
}
