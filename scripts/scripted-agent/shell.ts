import {type ChildProcess, spawn} from 'node:child_process';

/** The real server keeps about this much of a command's output for its item. */
const KEPT_OUTPUT_CHARS = 1024 * 1024;
/** How long after its shell's end a child in the background may still hold the output open. */
const LAST_OUTPUT_MS = 50;

export interface ShellEnd {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * A command of the agent, in a session of its own: neither the end of the turn nor the death of this
 * process reaches it, which is what makes the real ones hard to clean up.
 */
export class Shell {
  readonly ended: Promise<ShellEnd>;
  readonly #child: ChildProcess;
  #output = '';

  constructor(
    command: string,
    cwd: string,
    env: NodeJS.ProcessEnv,
    onOutput: (text: string) => void,
  ) {
    // Both outputs share one pipe, as on a terminal: their order is that of the writing.
    this.#child = spawn('/bin/sh', ['-c', 'exec bash -c "$0" 2>&1', command], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#output.length < KEPT_OUTPUT_CHARS) this.#output += text;
      onOutput(text);
    });
    this.ended = this.#watch();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Ends the command and what it started, except for children that left its session. */
  kill(): void {
    const {pid} = this.#child;
    if (pid === undefined || this.#child.exitCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It ended by itself in the meantime.
    }
  }

  #watch(): Promise<ShellEnd> {
    const child = this.#child;
    return new Promise((resolve) => {
      child.once('error', () => {
        resolve({
          exitCode: -1,
          output: 'Failed to create unified exec process: No such file or directory (os error 2)',
        });
      });
      child.once('exit', (code) => {
        const end = () => resolve({exitCode: code ?? -1, output: this.#output});
        child.once('close', end);
        setTimeout(end, LAST_OUTPUT_MS).unref();
      });
    });
  }
}
