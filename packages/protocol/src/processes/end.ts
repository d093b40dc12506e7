import {setTimeout as sleep} from 'node:timers/promises';
import treeKill from 'tree-kill';
import {findProcesses, isAnybodyThere, type ProcessQuery} from './find.ts';
import {isAlive, type ProcessIdentity} from './identity.ts';

const POLL_MS = 20;
/** A process in uninterruptible I/O may outlast SIGKILL; nobody should wait for it for ever. */
const FORCE_LIMIT_MS = 5000;

/**
 * Ends all that the query finds: asks with SIGTERM, and after the grace period forces with SIGKILL.
 * Returns what is alive nevertheless. A grace period of 0 forces at once.
 */
export async function endProcesses(
  query: ProcessQuery,
  graceMs: number,
): Promise<ProcessIdentity[]> {
  if (process.platform !== 'linux') return endTrees(query, graceMs);
  if (graceMs > 0) {
    const asked = findProcesses(query);
    if (asked.length === 0) return [];
    for (const identity of asked) signal(identity, 'SIGTERM');
    await allGone(asked, graceMs);
  }
  return force(query);
}

/** Whether there is nobody to end, as far as one look tells. See `isAnybodyThere` for `strangers`. */
export function isNobodyLeft(query: ProcessQuery, strangers: Set<number>): boolean {
  return process.platform === 'linux' && !isAnybodyThere(query, strangers);
}

/** Kills at once and without a wait, for a process that is about to die itself. */
export function killProcesses(query: ProcessQuery): void {
  if (process.platform === 'linux')
    for (const identity of freeze(query)) signal(identity, 'SIGKILL');
  else for (const {pid} of query.roots) treeKill(pid, 'SIGKILL', ignoreGone);
}

/** One empty look may have fallen between a fork and its exec; two in a row are believed. */
async function force(query: ProcessQuery): Promise<ProcessIdentity[]> {
  const deadline = performance.now() + FORCE_LIMIT_MS;
  for (let emptyLooks = 0; emptyLooks < 2; ) {
    const found = freeze(query);
    for (const identity of found) signal(identity, 'SIGKILL');
    emptyLooks = found.length === 0 ? emptyLooks + 1 : 0;
    if (performance.now() > deadline) return findProcesses(query);
    await sleep(found.length === 0 ? 1 : POLL_MS);
  }
  return [];
}

/**
 * Stops everything first, so that nothing can fork while it is being looked at: a child born between
 * the look and the kill would lose its parent and, if it dropped its environment, its last trace.
 */
function freeze(query: ProcessQuery): ProcessIdentity[] {
  const frozen = new Map<number, ProcessIdentity>();
  for (;;) {
    const fresh = findProcesses(query).filter(({pid}) => !frozen.has(pid));
    if (fresh.length === 0) return [...frozen.values()];
    for (const identity of fresh) {
      signal(identity, 'SIGSTOP');
      frozen.set(identity.pid, identity);
    }
  }
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch {
    // Ended in between: what we wanted.
  }
}

async function allGone(identities: readonly ProcessIdentity[], limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (identities.some(isAlive) && performance.now() < deadline) await sleep(POLL_MS);
}

async function endTrees(query: ProcessQuery, graceMs: number): Promise<ProcessIdentity[]> {
  const roots = query.roots.filter(isAlive);
  if (graceMs > 0) {
    for (const {pid} of roots) treeKill(pid, 'SIGTERM', ignoreGone);
    await allGone(roots, graceMs);
  }
  for (const {pid} of roots.filter(isAlive)) treeKill(pid, 'SIGKILL', ignoreGone);
  await allGone(roots, FORCE_LIMIT_MS);
  return roots.filter(isAlive);
}

/** Without a callback tree-kill throws when the process is already gone, which is what we wanted. */
function ignoreGone(): void {}
