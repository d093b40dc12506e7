import {RunFailure} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import type {ProcessOptions} from '../../../src/agent/agent.ts';
import {AgentProcess} from '../../../src/agent/wire/process.ts';
import type {TeletypeJob} from './agent.ts';

/** All that a teletype says; keys that we do not know are none of ours. */
const Message = z.object({
  version: z.optional(z.string()),
  refused: z.optional(z.string()),
  opened: z.optional(z.nullable(z.string())),
  began: z.optional(z.int()),
  ended: z.optional(z.nullable(z.object({by: z.string(), reason: z.string()}))),
  says: z.optional(z.string()),
  used: z.optional(z.int()),
  calls: z.optional(z.string()),
  with: z.optional(z.unknown()),
  asks: z.optional(z.string()),
});
export type Message = z.infer<typeof Message>;

export interface LineHandlers {
  readonly onMessage: (message: Message) => void;
  readonly onMalformed: (what: string) => void;
}

/** The process, and the messages both ways: each in the transcript, and every request answered within its time. */
export class TeletypeLine {
  readonly process: AgentProcess;
  readonly #options: ProcessOptions;
  readonly #on: LineHandlers;
  readonly #limitMs: number;
  readonly #answers: {take: (message: Message) => void; fail: (why: Error) => void}[] = [];
  #gone: RunFailure | null = null;

  constructor(job: TeletypeJob, options: ProcessOptions, on: LineHandlers) {
    this.#options = options;
    this.#on = on;
    this.#limitMs = job.read_timeout_ms;
    this.process = new AgentProcess(job.command, options, {
      onLine: (line) => {
        const message = parse(line);
        if (message === null) return this.#malformed({line: line.slice(0, 1000)});
        options.transcript.message('<-', line);
        const isAnswer = (message.version ?? message.refused ?? message.opened) !== undefined;
        if (isAnswer) this.#answers.shift()?.take(message);
        else on.onMessage(message);
      },
      onTooLong: (bytes) => this.#malformed({bytes}),
      onHeard: () => false, // nothing is streamed
      onGone: (failure) => {
        this.#gone = failure;
        for (const {fail} of this.#answers.splice(0)) fail(failure);
      },
    });
  }

  send(message: object): void {
    const line = JSON.stringify(message);
    this.#options.transcript.message('->', line);
    this.process.write(`${line}\n`);
  }

  async ask(message: object): Promise<Message> {
    if (this.#gone !== null) throw this.#gone;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Message>((take, fail) => {
      this.#answers.push({take, fail});
      const late = new RunFailure('response_timeout', `no answer within ${this.#limitMs} ms`);
      timer = setTimeout(fail, this.#limitMs, late);
    });
    this.send(message);
    return answer.finally(() => clearTimeout(timer));
  }

  /** The handshake. Returns its version. */
  async greet(): Promise<string | null> {
    const {version, refused} = await this.ask({hello: true});
    if (refused !== undefined) {
      throw new RunFailure('agent_incompatible', `the agent refused to work with us: ${refused}`);
    }
    return version ?? null;
  }

  /** A line that could not be read, or was too long to be. */
  #malformed(what: {line: string} | {bytes: number}): void {
    this.#options.transcript.event('malformed', what);
    this.#on.onMalformed(JSON.stringify(what));
  }
}

function parse(line: string): Message | null {
  try {
    return Message.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
