import {randomUUID} from 'node:crypto';

/**
 * A unique id. Node makes many at once and keeps those it has not given out yet; all
 * processes that start from one snapshot would find the same there.
 */
export function freshId(): string {
  return randomUUID({disableEntropyCache: true});
}
