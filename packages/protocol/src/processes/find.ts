import {readdirSync, readFileSync} from 'node:fs';
import {identify, isAlive, type ProcessIdentity, type ProcessStat, readStat} from './identity.ts';

/**
 * Which processes to find. Descent alone misses a process that outlived its parent, environment
 * alone one that was started with an empty environment: so both are used.
 */
export interface ProcessQuery {
  /** These and their descendants. */
  readonly roots: readonly ProcessIdentity[];
  /** `NAME=value` entries; a process with any of them in its environment matches. */
  readonly markers: readonly string[];
  /** The same for prefixes of entries. */
  readonly prefixes?: readonly string[];
  /** Never these, nor processes found only through them. */
  readonly except: readonly number[];
}

/** The result of one scan of the process table. */
export interface Look {
  readonly found: readonly ProcessIdentity[];
  /**
   * False during an exec of another process: the kernel then shows an empty environment, so that
   * process may match.
   */
  readonly isCertain: boolean;
}

/** The processes that one scan finds; `lookFor` also says whether the scan is reliable. */
export function findProcesses(query: ProcessQuery): readonly ProcessIdentity[] {
  return lookFor(query).found;
}

/** Linux only: elsewhere reading parents and environments takes a command per scan. */
export function lookFor(query: ProcessQuery): Look {
  const table = readTable();
  const children = childrenByParent(table);
  const found = new Set<number>();
  const take = (pid: number): void => {
    if (found.has(pid) || query.except.includes(pid)) return;
    found.add(pid);
    for (const child of children.get(pid) ?? []) take(child);
  };

  for (const root of query.roots) if (isAlive(root)) take(root.pid);
  const markers = boundedMarkers(query);
  const unknown: number[] = [];
  if (markers.length > 0) {
    for (const {pid, dead, hasMemory} of table) {
      if (dead || !hasMemory) continue;
      const environment = readEnvironment(pid);
      if (environment === 'in-exec') unknown.push(pid);
      else if (carriesOne(environment, markers)) take(pid);
    }
  }
  return {
    found: [...found].map(identify).filter((identity) => identity !== null),
    isCertain: unknown.every((pid) => found.has(pid) || query.except.includes(pid)),
  };
}

function boundedMarkers({markers, prefixes = []}: ProcessQuery): string[] {
  return [...markers.map((marker) => `\0${marker}\0`), ...prefixes.map((prefix) => `\0${prefix}`)];
}

function carriesOne(environment: string, markers: readonly string[]): boolean {
  return markers.some((marker) => environment.includes(marker));
}

function readTable(): ProcessStat[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => readStat(pid) ?? []);
}

function childrenByParent(table: readonly ProcessStat[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const {pid, parent} of table) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [pid]);
    else siblings.push(pid);
  }
  return children;
}

/** The value of a variable in the initial environment of a process; null if unknown. */
export function environmentEntry(pid: number, name: string): string | null {
  const environment = readEnvironment(pid);
  const begin = environment.indexOf(`\0${name}=`);
  if (begin === -1) return null;
  const valueAt = begin + name.length + 2;
  return environment.slice(valueAt, environment.indexOf('\0', valueAt));
}

/** Entries delimited by NULs; `in-exec` for a process whose new environment is not in place yet. */
function readEnvironment(pid: number): string {
  try {
    // As UTF-8, which Node decodes three times as fast; other bytes cannot be a marker.
    const path = `/proc/${pid}/environ`;
    const text = readFileSync(path, 'utf8');
    if (text !== '' || readStat(pid)?.hasEnvironment === false) return `\0${text}\0`;
    // The exec has finished meanwhile: the environment is there.
    const afterwards = readFileSync(path, 'utf8');
    return afterwards === '' ? 'in-exec' : `\0${afterwards}\0`;
  } catch {
    return ''; // of another user, or gone
  }
}
