import type {Readable} from 'node:stream';

/** What lies beneath a pipe of Node's, and is not documented. */
interface PipeHandle {
  readStop(): unknown;
  readStart(): unknown;
}

/**
 * Does not listen to a pipe for a while; what is said meanwhile is heard at once, then. `pause()` would not do: Node
 * goes on to read, piece by piece, until its buffer is full. Where Node has nothing to stop, all goes on as before.
 */
export function restFrom(pipe: Readable, ms: number): void {
  const handle = handleOf(pipe);
  if (handle === null) return;
  handle.readStop();
  // Harmless to a pipe that was closed meanwhile.
  setTimeout(() => handle.readStart(), ms);
}

function handleOf(pipe: Readable): PipeHandle | null {
  const {_handle: handle} = pipe as {_handle?: Partial<PipeHandle> | null};
  const canStop = typeof handle?.readStop === 'function' && typeof handle.readStart === 'function';
  return canStop ? (handle as PipeHandle) : null;
}
