import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {type Project, until} from './project.ts';

const BIN = fileURLToPath(
  new URL('../../../packages/orchestrator/bin/symphony-supervisor.js', import.meta.url),
);
/** A shutdown takes a second; one that hangs is a finding, but must not stop the benchmark. */
const END_MS = 20_000;

/** The supervisor as it is shipped, as a process, on a project. */
export class BuiltSupervisor implements AsyncDisposable {
  readonly pid: number;
  readonly startedAt = Date.now();
  readonly #project: Project;
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;

  constructor(project: Project, node: readonly string[] = []) {
    this.#project = project;
    this.#process = spawn(process.execPath, [...node, BIN, '--port', '0'], {
      cwd: project.path,
      env: {...process.env, HOME: project.home},
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.pid = this.#process.pid ?? -1;
    this.#exited = once(this.#process, 'exit');
  }

  /** Where its API is, once it is there. */
  url(): Promise<string> {
    return until('the API of the supervisor', async () => {
      const path = join(this.#project.path, '.symphony/supervisor.json');
      const text = await readFile(path, 'utf8').catch(() => '{}');
      const {pid, dashboard_url} = JSON.parse(text);
      return pid === this.pid && typeof dashboard_url === 'string' ? dashboard_url : null;
    });
  }

  /** As late as the main thread has been since the last call, in milliseconds: 99 of 100 times less. */
  async lagSinceLast(): Promise<number> {
    const answer = await fetch(`${await this.url()}/metrics`);
    const line = /^symphony_loop_lag_seconds\{quantile="0.99"\} (\S+)$/m.exec(await answer.text());
    if (line === null) throw new Error('/metrics says nothing of the lag');
    return Number(line[1]) * 1000;
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), END_MS);
    this.#process.kill('SIGTERM');
    await this.#exited;
    clearTimeout(timer);
  }
}
