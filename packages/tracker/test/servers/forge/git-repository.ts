import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const PERSON = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The bare repository behind a forge: what is pushed to it is what its pull requests show. */
export class GitRepository implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'forge-'));
  #commits = 0;

  constructor() {
    this.#git('init', '--quiet', '--bare', '--initial-branch=main');
    this.commit('main');
  }

  /** A commit on top of a branch, which is made from `from` if it is not there yet. */
  commit(branch: string, from = 'main'): string {
    const tips = this.tips();
    const parent = tips.get(branch) ?? tips.get(from);
    this.#commits += 1;
    const parents = parent === undefined ? [] : ['-p', parent];
    const sha = this.#git('commit-tree', EMPTY_TREE, ...parents, '-m', `Commit ${this.#commits}`);
    this.point([branch], sha);
    return sha;
  }

  /** Points branches to a commit, in one go. */
  point(branches: readonly string[], sha: string): void {
    const orders = branches.map((branch) => `update refs/heads/${branch} ${sha}\n`).join('');
    this.#git('update-ref', '--stdin', {input: orders});
  }

  remove(branch: string): void {
    this.#git('update-ref', '-d', `refs/heads/${branch}`);
  }

  /** Read at each request, because anything may have pushed meanwhile. */
  tips(): Map<string, string> {
    const lines = this.#git(
      'for-each-ref',
      '--format=%(refname:lstrip=2) %(objectname)',
      'refs/heads',
    );
    const pairs = lines.split('\n').filter((line) => line !== '');
    return new Map(pairs.map((line) => line.split(' ') as [string, string]));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, {recursive: true, force: true});
  }

  #git(...args: (string | {input: string})[]): string {
    const input = args.find((arg) => typeof arg === 'object')?.input ?? '';
    const words = args.filter((arg) => typeof arg === 'string');
    const env = {PATH: process.env.PATH, HOME: this.path, GIT_CONFIG_NOSYSTEM: '1', ...PERSON};
    return execFileSync('git', words, {cwd: this.path, env, input, encoding: 'utf8'}).trimEnd();
  }
}
