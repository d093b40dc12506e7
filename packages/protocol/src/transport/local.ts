import {LineClosed, type Transport} from './transport.ts';

/**
 * Both ends in one process, for a runner without a supervisor. Messages are copied as JSON, so that
 * nothing passes here that would not pass between processes.
 */
export function localTransports(): [Transport, Transport] {
  const ends = [new LocalEnd(), new LocalEnd()] as const;
  ends[0].peer = ends[1];
  ends[1].peer = ends[0];
  return [ends[0], ends[1]];
}

class LocalEnd implements Transport {
  peer: LocalEnd | null = null;
  readonly #messageListeners: ((message: unknown) => void)[] = [];
  readonly #closeListeners: (() => void)[] = [];
  #closed = false;

  async send(message: unknown): Promise<void> {
    const {peer} = this;
    if (this.#closed || peer === null) throw new LineClosed();
    const copy: unknown = JSON.parse(JSON.stringify(message));
    // Delivered in a later turn of the event loop, as between processes: a send never runs its
    // receiver.
    setImmediate(() => {
      if (!peer.#closed) for (const listener of peer.#messageListeners) listener(copy);
    });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#messageListeners.push(listener);
  }

  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const listener of this.#closeListeners) listener();
    // After the messages sent before.
    setImmediate(() => this.peer?.close());
  }
}
