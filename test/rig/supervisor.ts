import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {IssueView, Snapshot} from '@symphony-supervisor/protocol';
import {endProcesses} from '@symphony-supervisor/protocol/processes';
import {askControl, readPointer} from './control.ts';
import {aFolder} from './fixtures/folder.ts';
import {until} from './survivors.ts';

const SUPERVISOR = fileURLToPath(
  new URL('../../packages/orchestrator/dist/main.js', import.meta.url),
);

/** A supervisor with a tracker thread that a test brings. Arguments: folder, and the thread's path. */
export const THREADED = fileURLToPath(new URL('../dist/threaded.js', import.meta.url));

/** A folder with a workflow file and a file tracker, and the issues named in state Todo. */
export async function aProject(
  codexCommand: string,
  issues: readonly string[],
  settings: Record<string, unknown> = {},
) {
  const folder = await aFolder();
  await mkdir(join(folder.path, 'issues'));
  for (const issue of issues) await writeIssue(folder.path, issue, 'Todo');
  const frontMatter = {
    name: 'p',
    tracker: {kind: 'file'},
    workspace: {root: './workspaces'},
    polling: {interval_ms: 500},
    codex: {command: codexCommand, read_timeout_ms: 30_000},
    ...settings,
  };
  await writeFile(
    join(folder.path, 'WORKFLOW.md'),
    `---\n${JSON.stringify(frontMatter)}\n---\nWork on {{issue.identifier}}.\n`,
  );
  return folder;
}

export function writeIssue(folder: string, issue: string, state: string): Promise<void> {
  const text = `---\nstate: ${state}\n---\n# ${issue}\n`;
  return writeFile(join(folder, 'issues', `${issue}.md`), text);
}

/** Resolves when the issue's file says so. */
export async function reaches(folder: string, issue: string, state: string): Promise<void> {
  const path = join(folder, 'issues', `${issue}.md`);
  const seen = await until(async () => {
    const text = await readFile(path, 'utf8');
    return text.includes(`state: ${state}\n`) ? true : null;
  });
  if (seen === null) throw new Error(`${issue} never reached ${state}`);
}

/** Resolves when the store holds a thread that has had a turn: from then on it survives anything. */
export async function onRecord(folder: string, threadId: string): Promise<void> {
  const record = new RegExp(
    `"id":"${threadId}","workspace_path":"[^"]*","usage":\\{[^}]*\\},"prompt_digest":"[^"]*","turns":1`,
  );
  const seen = await until(async () => {
    const log = await readFile(join(folder, '.symphony/symphony.db-wal'), 'latin1').catch(() => '');
    return record.test(log) ? true : null;
  });
  if (seen === null) throw new Error('the thread never went on record');
}

interface LogLine {
  readonly time: string;
  readonly event?: string;
  readonly project?: string;
  readonly issue_id?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly job?: string;
  readonly msg: string;
}

/** A real supervisor process. */
export class SupervisorRig implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly exited: Promise<{code: number | null; signal: NodeJS.Signals | null}>;
  readonly #folder: string;
  #stdout = '';
  #stderr = '';

  constructor(folder: string, args: readonly string[] = [], program = SUPERVISOR) {
    this.#folder = folder;
    this.process = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: {...process.env, HOME: folder},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString();
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    this.exited = once(this.process, 'exit').then(([code, signal]) => ({code, signal}));
  }

  get stderr(): string {
    return this.#stderr;
  }

  get log(): LogLine[] {
    const lines = this.#stdout.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line));
  }

  /** `key` is `<project>/<issue id>`; without one, a line about no issue. */
  async logged(event: string, key?: string): Promise<void> {
    const seen = await until(async () =>
      this.log.some((line) => line.event === event && keyOf(line) === key) ? true : null,
    );
    if (seen === null) throw new Error(`${event} of ${key} was never logged:\n${this.#stdout}`);
  }

  /** What it tells whoever asks it, as soon as that holds. */
  async shows(what: string, holds: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    let last: Snapshot | null = null;
    const seen = await until(async () => {
      last = await this.#snapshot().catch(() => null);
      return last !== null && holds(last) ? last : null;
    });
    if (seen === null) throw new Error(`it never showed ${what}: ${JSON.stringify(last)}`);
    return seen;
  }

  issue(identifier: string): Promise<IssueView> {
    return this.#get(`/api/v1/issues/${identifier}`) as Promise<IssueView>;
  }

  #snapshot(): Promise<Snapshot> {
    return this.#get('/api/v1/state') as Promise<Snapshot>;
  }

  async #get(path: string): Promise<unknown> {
    const pointer = await readPointer(join(this.#folder, '.symphony'));
    const {text} = await askControl(pointer, 'GET', path);
    return JSON.parse(text);
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    // Its runners end by themselves, but a test that has failed must not wait for them.
    await endProcesses({roots: [], markers: [`HOME=${this.#folder}`], except: [process.pid]}, 0);
  }
}

function keyOf({project, issue_id}: LogLine): string | undefined {
  return issue_id === undefined ? undefined : `${project}/${issue_id}`;
}
