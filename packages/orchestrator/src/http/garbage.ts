import type {Socket} from 'node:net';
import {ApiError} from './api-error.ts';

/** Input that is not HTTP never becomes a request, so it is answered on the raw socket. */
export function answerGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const {status, body} = new ApiError('bad_request', 'the request is malformed');
  const text = JSON.stringify(body);
  socket.write(
    [
      `HTTP/1.1 ${status} Bad Request`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
  // Not only its own half: a caller that never closes the other half would keep the connection.
  socket.destroySoon();
}
