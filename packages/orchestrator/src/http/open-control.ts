import {rm} from 'node:fs/promises';
import type {FastifyInstance} from 'fastify';
import type {Log} from '../shell/log.ts';
import {bindSocket, socketPlaces, socketUrl} from './control-socket.ts';
import {listen} from './listen.ts';

export interface ControlOptions {
  readonly stateDir: string;
  /**
   * The user's runtime directory, for a state directory whose path is too long; null: there is
   * none.
   */
  readonly runtimeDir: string | null;
  /** A server that does not listen yet; each can be tried once. */
  readonly build: () => Promise<FastifyInstance>;
  readonly log: Log;
}

export interface ControlListener extends AsyncDisposable {
  /** `unix://<path>`, or `http://127.0.0.1:<port>`. */
  readonly url: string;
}

export const CONTROL_HOST = '127.0.0.1';

/** Opens a Unix socket for its owner only, or else a port on loopback. */
export async function openControl(options: ControlOptions): Promise<ControlListener> {
  const {stateDir, runtimeDir, build, log} = options;
  const reasons: string[] = [];
  for (const place of socketPlaces(stateDir, runtimeDir)) {
    const app = await build();
    try {
      await bindSocket(place, (path) => app.listen({path}));
      const close = async () => {
        // Before the server closes: afterwards a successor may have its own socket at this path.
        await rm(place.path, {force: true});
        await app.close();
      };
      return {url: socketUrl(place.path), [Symbol.asyncDispose]: close};
    } catch (error) {
      await app.close();
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  const reason = reasons.join('; ') || 'every path for it is too long';
  const about = {event: 'control_socket.missing', reason};
  log('warn', about, 'there is no control socket; commands use a port on loopback');
  const app = await build();
  return {
    url: await listen(app, CONTROL_HOST, 0),
    [Symbol.asyncDispose]: () => app.close(),
  };
}
