import {randomUUID} from 'node:crypto';

/**
 * A unique id. Node generates many at once and caches the unused ones; all processes that start from one
 * snapshot would share that cache.
 */
export function freshId(): string {
  return randomUUID({disableEntropyCache: true});
}
