import {once} from 'node:events';
import {createServer} from 'node:net';
import type {Workflow} from '@symphony-supervisor/protocol';
import {CannotListen} from '../../http/port-busy.ts';
import {EXIT, ExitWith} from '../exit.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Where API and dashboard listen: the address that people know. */
export interface FixedAddress extends ListenAddress {
  readonly allowedHosts: readonly string[];
  readonly publicRead: boolean;
}

/** `--port` and `--host` win over the first workflow file; without a port there is no such listener. */
export function fixedAddress(
  workflows: readonly Workflow[],
  options: {readonly port?: number; readonly host?: string},
): FixedAddress | null {
  const server = workflows[0]?.settings.server;
  const port = options.port ?? server?.port ?? null;
  if (port === null) return null;
  const host = options.host ?? server?.host ?? '127.0.0.1';
  const {allowedHosts = [], publicRead = false} = server ?? {};
  return {host, port, allowedHosts, publicRead};
}

/** For webhooks alone, by the first workflow file; null: there is no such listener. */
export function webhookAddress(workflows: readonly Workflow[]): ListenAddress | null {
  const server = workflows[0]?.settings.server;
  if (server === undefined || server.webhookPort === null) return null;
  return {host: server.webhookHost, port: server.webhookPort};
}

/** null: a listener can be opened there at this moment. Asked before any agent is started. */
export async function listenProblem({host, port}: ListenAddress): Promise<CannotListen | null> {
  const server = createServer();
  try {
    server.listen({host, port});
    await once(server, 'listening');
    return null;
  } catch (error) {
    return CannotListen.from(error, host, port);
  } finally {
    server.close();
  }
}

export function cannotListen(error: unknown): unknown {
  if (!(error instanceof CannotListen)) return error;
  return new ExitWith(EXIT.unexpected, error.message, {cause: error});
}
