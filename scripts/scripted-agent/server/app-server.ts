import {type Fields, fieldsOf, isFields} from '../json.ts';
import type {Options} from '../options.ts';
import type {Script} from '../script/script.ts';
import type {CodexHost} from './codex-host.ts';
import {type Method, methodsOf} from './methods.ts';
import {Refusal} from './wire.ts';

/** Takes the client's lines in their order, and sees to it that each request gets one answer. */
export class AppServer {
  readonly #host: CodexHost;
  readonly #methods: {readonly [name: string]: Method};
  readonly #silent: boolean;
  #initialized = false;

  constructor(host: CodexHost, options: Options, script: Script) {
    this.#host = host;
    this.#methods = methodsOf(host, options, script);
    this.#silent = options.silent;
  }

  receive(line: string): void {
    const message = parsed(line);
    if (message === null) {
      process.stderr.write(`scripted-agent: not a message: ${line.slice(0, 200)}\n`);
      return;
    }
    this.#host.report({report: 'received', message});
    if (this.#silent) return;
    const {method, id} = message;
    if (typeof method !== 'string') this.#host.wire.settle(message);
    else if (id !== undefined) this.#answer(id, method, message.params);
  }

  #answer(id: unknown, name: string, params: unknown): void {
    const {wire} = this.#host;
    try {
      const {result, afterwards} = this.#method(name, params)(fieldsOf(params));
      this.#initialized = true;
      wire.respond(id, result);
      afterwards?.();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      wire.refuse(id, error);
    }
  }

  #method(name: string, params: unknown): Method {
    const method = Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined;
    if (method === undefined) {
      const known = Object.keys(this.#methods).map((each) => `\`${each}\``);
      throw new Refusal(
        `Invalid request: unknown variant \`${name}\`, expected one of ${known.join(', ')}`,
      );
    }
    if (params === undefined) throw new Refusal('Invalid request: missing field `params`');
    if (name === 'initialize' && this.#initialized) throw new Refusal('Already initialized');
    if (name !== 'initialize' && !this.#initialized) throw new Refusal('Not initialized');
    return method;
  }
}

function parsed(line: string): Fields | null {
  try {
    const message: unknown = JSON.parse(line);
    return isFields(message) ? message : null;
  } catch {
    return null;
  }
}
