import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';

const script = fileURLToPath(new URL('./saving-child.ts', import.meta.url));

/** A process with a lock and a store on this folder; killed at the end of the scope. */
export class SavingChild implements AsyncDisposable {
  readonly #child: ChildProcess;
  #saved = -1;

  constructor(stateDir: string, ...options: '--save'[]) {
    this.#child = fork(script, [stateDir, ...options], {execArgv: ['--import', 'tsx']});
    this.#child.on('message', (message: {saved: number}) => {
      this.#saved = message.saved;
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** How many claims it has told to be saved. */
  get saved(): number {
    return this.#saved;
  }

  async untilSaved(count: number): Promise<void> {
    const ended = once(this.#child, 'exit').then(() => {
      throw new Error('the child ended before');
    });
    ended.catch(() => {}); // later, its end is no news
    while (this.#saved < count) await Promise.race([once(this.#child, 'message'), ended]);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close'); // by then all that it had said has arrived
    this.#child.kill('SIGKILL');
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
