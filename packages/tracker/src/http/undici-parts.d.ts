// The files of undici that are used one by one; its own types are those of the whole.
declare module 'undici/lib/dispatcher/pool.js' {
  import {Pool} from 'undici';

  // biome-ignore lint/style/noDefaultExport: it is not ours
  export default Pool;
}

declare module 'undici/lib/api/api-request.js' {
  import type {Dispatcher} from 'undici';

  // biome-ignore lint/style/noDefaultExport: it is not ours
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
}
