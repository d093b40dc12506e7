import type {ChildProcess} from 'node:child_process';
import {LineClosed, type Transport} from './transport.ts';

type IpcEnd = Pick<NodeJS.Process, 'send' | 'disconnect' | 'connected' | 'on'> | ChildProcess;

/** Node's own channel: `process` in a child, the `ChildProcess` in its parent. */
export function ipcTransport(end: IpcEnd): Transport {
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!end.connected || end.send === undefined) return reject(new LineClosed());
        // Without a callback a send after the peer's death is emitted as an 'error' event.
        end.send(message as object, undefined, undefined, (error) =>
          error === null || error === undefined ? resolve() : reject(new LineClosed()),
        );
      }),
    onMessage: (listener) => {
      end.on('message', listener);
    },
    onClose: (listener) => {
      if (end.connected) end.on('disconnect', listener);
      else queueMicrotask(listener);
    },
    close: () => {
      if (end.connected) end.disconnect?.();
    },
  };
}
