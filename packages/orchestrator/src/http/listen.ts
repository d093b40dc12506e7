import type {AddressInfo} from 'node:net';
import type {FastifyInstance} from 'fastify';
import {CannotListen} from './port-busy.ts';

/**
 * Connections that may wait to be accepted. With Node's default of 511 a burst of strangers fills the queue, and
 * the system drops the next caller's request without an answer: its first retry comes a second later.
 */
const BACKLOG = 2048;

/** Returns the URL. Throws `PortBusy` or `CannotListen`. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({host, port, backlog: BACKLOG});
  } catch (error) {
    throw CannotListen.from(error, host, port);
  }
  const address = app.server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
