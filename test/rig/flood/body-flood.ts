import {readFile} from 'node:fs/promises';
import {connect, type Socket} from 'node:net';

const CHUNK = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);

export interface FloodOptions {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  readonly headers?: readonly string[];
  /** Then the body stands still, and never ends. */
  readonly bytesEach: number;
}

/** Strangers who send bodies without an end, each on a connection of its own, as fast as they are read. */
export class BodyFlood implements Disposable {
  readonly statuses: number[] = [];
  /** Resolves when every connection has been ended by the other side. */
  readonly allClosed: Promise<void>;
  readonly #sockets: Socket[] = [];

  constructor(options: FloodOptions) {
    const each = Array.from({length: options.connections}, () => this.#open(options));
    this.allClosed = Promise.all(each).then(() => {});
  }

  #open({port, path, headers = [], bytesEach}: FloodOptions): Promise<void> {
    const socket = connect(port, '127.0.0.1');
    this.#sockets.push(socket);
    const head = [
      ...[`POST ${path} HTTP/1.1`, 'Host: evil.example', ...headers],
      'Transfer-Encoding: chunked',
    ];
    let left = bytesEach;
    const send = () => {
      while (left > 0 && socket.writable) {
        left -= CHUNK.length;
        if (!socket.write(CHUNK)) return;
      }
    };
    socket.on('connect', () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      send();
    });
    socket.on('drain', send);
    socket.on('data', (data) => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1];
      if (status !== undefined) this.statuses.push(Number(status));
    });
    socket.on('error', () => {}); // 'close' follows
    return new Promise((resolve) => socket.on('close', () => resolve()));
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Resident memory of a process. */
export async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
