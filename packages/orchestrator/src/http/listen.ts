import type {AddressInfo} from 'node:net';
import type {FastifyInstance} from 'fastify';
import {CannotListen} from './port-busy.ts';

/** Returns the URL. Throws `PortBusy` or `CannotListen`. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({host, port});
  } catch (error) {
    throw CannotListen.from(error, host, port);
  }
  const address = app.server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
