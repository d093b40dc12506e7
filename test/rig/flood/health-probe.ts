import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';

const PROGRAM = fileURLToPath(new URL('./ask-for-health.ts', import.meta.url));

/** Asks a supervisor for its health again and again, from a process of its own: the test is busy with strangers. */
export class HealthProbe implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;

  /** Resolves with the first answer. */
  static async of(url: string, supervisor: number): Promise<HealthProbe> {
    const probe = new HealthProbe(url, supervisor);
    await once(probe.#process, 'message');
    return probe;
  }

  private constructor(url: string, supervisor: number) {
    const args = ['--import', 'tsx', PROGRAM, url, String(supervisor)];
    this.#process = spawn(process.execPath, args, {stdio: ['ignore', 'inherit', 'inherit', 'ipc']});
    this.#exited = once(this.#process, 'exit');
  }

  /** Of all answers so far; null: one was missing. */
  async slowestMs(): Promise<number | null> {
    this.#process.send('slowest');
    const [ms] = await once(this.#process, 'message');
    return ms;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }
}
