import {RunFailure} from '@symphony-supervisor/protocol';
import {type Loose, loose, text} from '@symphony-supervisor/protocol/transcript';
import type {ProcessOptions} from '../../agent.ts';
import {AgentProcess} from '../../wire/process.ts';

/** It ends its commands first, one after the other, and took 1.6 s for that. */
const SIGTERM_GRACE_MS = 5000;

export interface ControlHandlers {
  /** Answers a request of Claude Code; what is thrown is told as an error. */
  readonly onRequest: (request: Loose) => Promise<object>;
  readonly onMessage: (message: Loose) => void;
  /** A line that could not be read, or was too long to be. */
  readonly onMalformed: (what: string) => void;
  /** After all that came in one piece. */
  readonly onHeard: () => void;
}

interface Pending {
  readonly resolve: (answer: Loose) => void;
  readonly reject: (error: Error) => void;
}

/** Claude Code said no to a request of ours. */
export class RefusedControl extends Error {}

/** `claude -p` with JSON lines both ways: messages, and requests that each side answers. */
export class ControlledProcess {
  readonly process: AgentProcess;
  readonly #options: ProcessOptions;
  readonly #on: ControlHandlers;
  readonly #pending = new Map<string, Pending>();
  #requests = 0;
  #gone: RunFailure | null = null;

  constructor(command: string, options: ProcessOptions, on: ControlHandlers) {
    this.#options = options;
    this.#on = on;
    const {transcript} = options;
    this.process = new AgentProcess(command, options, {
      onLine: (line) => this.#receive(line),
      onTooLong: (bytes) => {
        transcript.event('malformed', {bytes});
        on.onMalformed(`a line of ${bytes} bytes, which is too long`);
      },
      onHeard: () => {
        on.onHeard();
        return false; // text comes whole, not in pieces
      },
      onGone: (failure) => {
        this.#gone = failure;
        for (const {reject} of this.#pending.values()) reject(failure);
        this.#pending.clear();
      },
      sigtermGraceMs: SIGTERM_GRACE_MS,
    });
  }

  /** Why the process ended; null while it runs. */
  get gone(): RunFailure | null {
    return this.#gone;
  }

  send(message: object): void {
    const line = JSON.stringify(message);
    this.#options.transcript.message('->', line);
    this.process.write(`${line}\n`);
  }

  async request(request: {readonly subtype: string}, limitMs: number): Promise<Loose> {
    if (this.#gone !== null) throw this.#gone;
    const id = `symphony-${++this.#requests}`;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Loose>((resolve, reject) => {
      this.#pending.set(id, {resolve, reject});
      timer = setTimeout(() => {
        const message = `the agent did not answer ${request.subtype} within ${limitMs} ms`;
        reject(new RunFailure('response_timeout', message));
      }, limitMs);
    });
    this.send({type: 'control_request', request_id: id, request});
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    const message = parse(line);
    const {transcript} = this.#options;
    if (message === null) {
      transcript.event('malformed', {line: line.slice(0, 1000)});
      this.#on.onMalformed(`a line that is no message: ${line.slice(0, 200)}`);
      return;
    }
    transcript.message('<-', line);
    if (message.type === 'control_response') this.#settle(loose(message.response));
    else if (message.type === 'control_request') void this.#answer(message);
    else this.#on.onMessage(message);
  }

  /** Answers that come too late are in the transcript, and otherwise ignored. */
  #settle(response: Loose): void {
    const pending = this.#pending.get(text(response.request_id));
    if (response.subtype === 'success') pending?.resolve(loose(response.response));
    else pending?.reject(new RefusedControl(text(response.error) || 'refused without a reason'));
  }

  async #answer(message: Loose): Promise<void> {
    const {request_id} = message;
    let response: object;
    try {
      const answer = await this.#on.onRequest(loose(message.request));
      response = {subtype: 'success', request_id, response: answer};
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'failed';
      response = {subtype: 'error', request_id, error: reason};
    }
    if (this.#gone === null) this.send({type: 'control_response', response});
  }
}

function parse(line: string): Loose | null {
  try {
    const value: unknown = JSON.parse(line);
    const message = loose(value);
    return message === value && typeof message.type === 'string' ? message : null;
  } catch {
    return null;
  }
}
