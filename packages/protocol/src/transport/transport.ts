/**
 * One end of a connection between a runner and its host. It carries plain JSON and knows nothing of
 * its meaning: both ends apply schemas. There are process IPC and a pair inside one process; a byte
 * stream (ssh, a socket) would be one more file beside them.
 */
export interface Transport {
  /** Resolves when the message has been sent; rejects when the connection is closed. */
  send(message: unknown): Promise<void>;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when the other side is gone or `close` was called. */
  onClose(listener: () => void): void;
  close(): void;
}

export class LineClosed extends Error {
  constructor() {
    super('the other process has disconnected');
    this.name = 'LineClosed';
  }
}
