import {setTimeout as sleep} from 'node:timers/promises';
import treeKill from 'tree-kill';
import {findProcesses, lookFor, type ProcessQuery} from './find.ts';
import {isAlive, type ProcessIdentity} from './identity.ts';

const POLL_MS = 20;
/** A process in uninterruptible I/O may outlast SIGKILL; waiting for it must end. */
const FORCE_LIMIT_MS = 5000;
/** Between two scans, so that a fork or exec in progress has finished. */
const LOOK_AGAIN_MS = 1;
/**
 * An exec can hang on a dead file server; a process that may not be ours delays us no longer than
 * this.
 */
const EXEC_LIMIT_MS = 1000;

/**
 * Ends all processes that the query finds: SIGTERM, then SIGKILL after the grace period. Returns
 * the survivors. A grace period of 0 kills at once.
 */
export async function endProcesses(
  query: ProcessQuery,
  graceMs: number,
): Promise<readonly ProcessIdentity[]> {
  if (process.platform !== 'linux') return endTrees(query, graceMs);
  if (graceMs > 0) {
    const asked = await findAll(query);
    if (asked.length === 0) return [];
    for (const identity of asked) signal(identity, 'SIGTERM');
    await allGone(asked, graceMs);
  }
  return force(query);
}

/**
 * Ends all processes synchronously, for a process that is about to exit: nothing else of it may run
 * meanwhile. Where that is not possible (not Linux) it kills at once.
 */
export function endProcessesBlocking(query: ProcessQuery, graceMs: number): void {
  if (process.platform !== 'linux') {
    for (const {pid} of query.roots) treeKill(pid, 'SIGKILL', ignoreGone);
    return;
  }
  const asked = findProcesses(query);
  for (const identity of asked) signal(identity, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (asked.some(isAlive) && performance.now() < deadline) Atomics.wait(never, 0, 0, POLL_MS);
  for (const identity of freeze(query)) signal(identity, 'SIGKILL');
}

/**
 * Repeats the scan to find what one misses. A process that forks and exits while the table is read
 * hides its child, so an empty scan counts only if a second one is empty, too. A scan during an
 * exec is repeated.
 */
async function findAll(query: ProcessQuery): Promise<readonly ProcessIdentity[]> {
  const deadline = performance.now() + EXEC_LIMIT_MS;
  for (let emptyLooks = 0; ; ) {
    const {found, isCertain} = lookFor(query);
    if (found.length > 0) return found;
    if (isCertain || performance.now() > deadline) emptyLooks += 1;
    if (emptyLooks === 2) return [];
    await sleep(LOOK_AGAIN_MS);
  }
}

async function force(query: ProcessQuery): Promise<readonly ProcessIdentity[]> {
  const deadline = performance.now() + FORCE_LIMIT_MS;
  while ((await findAll(query)).length > 0) {
    if (performance.now() > deadline) return findProcesses(query);
    for (const identity of freeze(query)) signal(identity, 'SIGKILL');
    await sleep(POLL_MS);
  }
  return [];
}

/**
 * Sends SIGSTOP first, so that nothing can fork during the scan: a child born between scan and kill
 * would lose its parent and, if it dropped its environment, its last trace.
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
    // Already ended, as wanted.
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

/** Without a callback tree-kill throws if the process is already gone. */
function ignoreGone(): void {}
