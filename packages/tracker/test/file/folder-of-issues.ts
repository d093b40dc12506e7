import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Issue} from '@symphony-supervisor/protocol';
import type {Answer} from '../../src/answer.ts';
import {FileTracker} from '../../src/file/adapter.ts';

/** A temporary folder of issue files with a tracker on it; gone at the end of the scope. */
export class FolderOfIssues implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'issues-'));
  readonly tracker = new FileTracker(this.path);

  constructor(files: Readonly<Record<string, string | Buffer>> = {}) {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Buffer): void {
    writeFileSync(this.at(name), content);
  }

  remove(name: string): void {
    rmSync(this.at(name));
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  async issue(id: string): Promise<Issue> {
    const [issue] = unwrap(await this.tracker.issuesByIds([id], soon()));
    if (issue === undefined) throw new Error(`there is no issue ${id}`);
    return issue;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tracker[Symbol.asyncDispose]();
    rmSync(this.path, {recursive: true, force: true});
  }
}

/** A file in state Todo, with further lines of front matter. */
export function todo(lines = '', body = 'Please.\n'): string {
  return `---\ntitle: A title\nstate: Todo\n${lines}---\n${body}`;
}

export function soon(): AbortSignal {
  return AbortSignal.timeout(30_000);
}

export function unwrap<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.failure.code}: ${answer.failure.message}`);
  return answer.value;
}
