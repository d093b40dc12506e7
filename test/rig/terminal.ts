import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {SUPERVISOR_BIN} from './supervisor-command.ts';

const IN_A_TERMINAL = fileURLToPath(
  new URL('../../packages/orchestrator/test/terminal/in-a-terminal.py', import.meta.url),
);
const EMPTY_HOME = fileURLToPath(new URL('./empty-home', import.meta.url));

/** Why there can be no terminal here; false if there can. */
export const skip = hasPython()
  ? false
  : 'python3, which has the pseudo-terminal, is not installed';

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import os, pty; os.waitstatus_to_exitcode'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}

interface Where {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** Absent: the supervisor of this workspace. */
  readonly program?: string;
}

/** A command with a person in front of it. */
export class TerminalRig implements AsyncDisposable {
  readonly exitCode: Promise<number | null>;
  readonly #process;
  #shown = '';
  #onShown = () => {};

  constructor(args: readonly string[], where: Where) {
    const program = where.program ?? SUPERVISOR_BIN;
    const command = [IN_A_TERMINAL, '40', '160', process.execPath, program, ...args];
    this.#process = spawn('python3', command, {
      cwd: where.cwd,
      env: {...process.env, HOME: EMPTY_HOME, TERM: 'xterm', ...where.env},
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.exitCode = once(this.#process, 'close').then(([code]) => code);
    this.#process.stdout.setEncoding('utf8').on('data', (piece: string) => {
      this.#shown += piece;
      this.#onShown();
    });
  }

  /** All that has been on the screen so far, with the bytes that move and colour it. */
  get shown(): string {
    return this.#shown;
  }

  /** Resolves when it has been on the screen. */
  async shows(text: string | RegExp): Promise<void> {
    const isShown = () =>
      typeof text === 'string' ? this.#shown.includes(text) : text.test(this.#shown);
    const ended = this.exitCode.then(() => {
      if (!isShown()) throw new Error(`it ended without ${text}:\n${this.#shown}`);
    });
    const shown = new Promise<void>((resolve) => {
      this.#onShown = () => isShown() && resolve();
      this.#onShown();
    });
    await Promise.race([shown, ended]);
  }

  types(text: string): void {
    this.#process.stdin.write(`type ${text}`);
  }

  /** Ctrl-C. */
  interrupt(): void {
    this.types('\u0003');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.stdin.end();
    this.#process.kill('SIGKILL'); // what runs in the terminal is hung up on
    await this.exitCode;
  }
}
