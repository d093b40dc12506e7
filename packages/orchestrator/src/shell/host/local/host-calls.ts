import type {HostAnswer, HostCall} from '@symphony-supervisor/protocol';
import type {AnswerCall} from '../runner.ts';

/** The host calls of one runner. Each is answered once: by the host, or with a refusal. */
export class HostCalls {
  readonly #answer: AnswerCall;
  readonly #send: (answer: HostAnswer) => void;
  readonly #open = new Map<number, HostCall>();
  #refusal: string | null = null;

  constructor(answer: AnswerCall, send: (answer: HostAnswer) => void) {
    this.#answer = answer;
    this.#send = send;
  }

  async take(call: HostCall): Promise<void> {
    this.#open.set(call.id, call);
    if (this.#refusal !== null) return this.#settle(call, refused(call, this.#refusal));
    let answer: HostAnswer;
    try {
      answer = await this.#answer(call);
    } catch (error) {
      answer = refused(call, error instanceof Error ? error.message : String(error));
    }
    this.#settle(call, answer);
  }

  /** From now on, and for open calls: a stopping agent must not continue to write. */
  refuseAll(message: string): void {
    this.#refusal ??= message;
    for (const call of [...this.#open.values()]) this.#settle(call, refused(call, message));
  }

  #settle(call: HostCall, answer: HostAnswer): void {
    // Refused in the meantime: that was the answer.
    if (this.#open.get(call.id) !== call) return;
    this.#open.delete(call.id);
    this.#send({...answer, id: call.id});
  }
}

function refused({id}: HostCall, message: string): HostAnswer {
  return {answer: 'refused', id, message};
}
