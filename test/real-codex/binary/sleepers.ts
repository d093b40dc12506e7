import {readdirSync, readFileSync} from 'node:fs';

let made = 0;

/**
 * Three children of a shell command: one in its process group, one in a session of its own, one that
 * the command waits for. No other `sleep` on the machine sleeps for as long as these.
 */
export class Sleepers {
  readonly #durations: readonly string[];
  readonly command: string;

  constructor() {
    const unusual = () => `90${process.pid}.${++made}`;
    const [a, b, c] = [unusual(), unusual(), unusual()];
    this.#durations = [a, b, c];
    this.command = `sleep ${a} & setsid sleep ${b} & sleep ${c}`;
  }

  /** How many of them are alive, in whatever namespace. */
  get alive(): number {
    return commandLines().filter(([program, argument]) => {
      return program?.endsWith('sleep') && this.#durations.includes(argument ?? '');
    }).length;
  }
}

function commandLines(): string[][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      } catch {
        return []; // gone
      }
    });
}
