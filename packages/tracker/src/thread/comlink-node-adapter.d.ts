// Comlink has types for this file, but not where they are looked for.
declare module 'comlink/dist/esm/node-adapter.mjs' {
  import type {MessagePort} from 'node:worker_threads';
  import type {Endpoint} from 'comlink';

  // biome-ignore lint/style/noDefaultExport: it is not ours
  export default function nodeEndpoint(port: MessagePort): Endpoint;
}
