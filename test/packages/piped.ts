import {spawn} from 'node:child_process';
import {once} from 'node:events';

/** A command that goes on, in a pipe; steered as `TerminalRig` is. */
export class PipedCommand implements AsyncDisposable {
  readonly exitCode: Promise<number | null>;
  readonly #process;
  #shown = '';
  #onShown = () => {};

  constructor(program: string, args: readonly string[], cwd: string, env: Record<string, string>) {
    this.#process = spawn(program, args, {
      ...{cwd, env: {...process.env, ...env}, stdio: ['ignore', 'pipe', 'inherit']},
    });
    this.exitCode = once(this.#process, 'close').then(([code]) => code);
    this.#process.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      this.#shown += piece;
      this.#onShown();
    });
  }

  get shown(): string {
    return this.#shown;
  }

  async shows(text: RegExp): Promise<void> {
    const isShown = () => text.test(this.#shown);
    const ended = this.exitCode.then(() => {
      if (!isShown()) throw new Error(`it ended without ${text}:\n${this.#shown}`);
    });
    const shown = new Promise<void>((resolve) => {
      this.#onShown = () => isShown() && resolve();
      this.#onShown();
    });
    await Promise.race([shown, ended]);
  }

  /** As Ctrl-C on a terminal. */
  interrupt(): void {
    this.#process.kill('SIGINT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.exitCode;
  }
}
