/**
 * One end of a line between a runner and whoever gave it its job. It carries plain JSON values and
 * knows nothing of their meaning: schemas are applied by those who hold the ends. Process IPC and a
 * pair inside one process exist; a byte stream (ssh, a socket) would be one more file beside them.
 */
export interface Transport {
  /** Resolves when the message has left this side; rejects when the line is down. */
  send(message: unknown): Promise<void>;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when the other side is gone or `close` was called. */
  onClose(listener: () => void): void;
  close(): void;
}

export class LineClosed extends Error {
  constructor() {
    super('the other side of the line is gone');
    this.name = 'LineClosed';
  }
}
