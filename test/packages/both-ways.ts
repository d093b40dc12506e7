import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {stripVTControlCharacters} from 'node:util';
import {TerminalRig} from '../rig/terminal.ts';
import type {Bin, Installed} from './installed.ts';
import {PipedCommand} from './piped.ts';

export type Way = 'pipe' | 'terminal';

/** What must never reach a user, whatever the command. */
const BROKEN = /unexpected:|is not a function|\bundefined\b|\[object |\bNaN\b|node:internal/;

interface Expected {
  readonly says: RegExp;
  /** 0 unless told otherwise. */
  readonly code?: number;
  readonly bin?: Bin;
}

/** Runs installed commands in one of the two ways, and notes which of them, with which options, it has run. */
export class Commands {
  readonly #it: Installed;
  readonly #way: Way;
  readonly #cwd: string;
  readonly #env: Record<string, string>;
  readonly #tried: Set<string>;

  constructor(
    it: Installed,
    way: Way,
    cwd: string,
    env: Record<string, string>,
    tried: Set<string>,
  ) {
    this.#tried = tried;
    this.#it = it;
    this.#way = way;
    this.#cwd = cwd;
    this.#env = env;
  }

  /** Fails unless the command ends with this code and says this. With `--json` stdout must be JSON. */
  async run(args: readonly string[], {says, code = 0, bin}: Expected): Promise<string> {
    const program = bin ?? 'symphony-supervisor';
    this.#note(program, args);
    const end =
      this.#way === 'pipe'
        ? await this.#inPipe(program, args)
        : await this.#onTerminal(program, args);
    const told = `${program} ${args.join(' ')} (${this.#way})\n${end.all}`;
    assert.equal(end.code, code, told);
    assert.match(end.all, says, told);
    assert.doesNotMatch(end.all, BROKEN, told);
    if (args.includes('--json')) assertJson(end.out, told);
    return end.all;
  }

  /** A command that goes on until it is ended. */
  start(args: readonly string[]): TerminalRig | PipedCommand {
    this.#note('symphony-supervisor', args);
    const program = this.#it.bin('symphony-supervisor');
    return this.#way === 'pipe'
      ? new PipedCommand(program, args, this.#cwd, this.#env)
      : new TerminalRig(args, {cwd: this.#cwd, env: this.#env, program});
  }

  #note(program: Bin, args: readonly string[]): void {
    const isCommand = program === 'symphony-supervisor' && /^[a-z]+$/.test(args[0] ?? '');
    const command = program === 'symphony-runner' ? program : isCommand ? args[0] : 'run';
    this.#tried.add(`${command}`);
    for (const option of args.filter((word) => word.startsWith('-'))) {
      this.#tried.add(`${command} ${option}`);
    }
  }

  async #inPipe(program: Bin, args: readonly string[]) {
    const child = spawn(this.#it.bin(program), args, {
      cwd: this.#cwd,
      env: {...process.env, ...this.#env},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    using _end = {[Symbol.dispose]: () => void child.kill('SIGKILL')};
    const streams = [text(child.stdout), text(child.stderr)] as const;
    const [out, errors, [code]] = await Promise.all([...streams, once(child, 'exit')]);
    // Colours and movements are for a terminal.
    assert.equal(out, stripVTControlCharacters(out), `${program} ${args.join(' ')}`);
    return {code, out, all: `${out}${errors}`};
  }

  async #onTerminal(program: Bin, args: readonly string[]) {
    await using rig = new TerminalRig(args, {
      ...{cwd: this.#cwd, env: this.#env, program: this.#it.bin(program)},
    });
    const code = await rig.exitCode;
    const out = stripVTControlCharacters(rig.shown).replaceAll('\r', '');
    return {code, out, all: out};
  }
}

/** One value, or one a line. */
function assertJson(out: string, told: string): void {
  assert.notEqual(out.trim(), '', told);
  try {
    JSON.parse(out);
  } catch {
    for (const line of out.trim().split('\n')) {
      assert.doesNotThrow(() => JSON.parse(line), `not JSON: ${line}\n${told}`);
    }
  }
}
