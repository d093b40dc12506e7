import {readdirSync, readFileSync} from 'node:fs';
import {identify, isAlive, type ProcessIdentity, type ProcessStat, readStat} from './identity.ts';

/**
 * Which processes are meant. By descent alone a process that outlived its parent is missed, by
 * environment alone one that was started with an empty environment: so both.
 */
export interface ProcessQuery {
  /** These and whatever descends from them. */
  readonly roots: readonly ProcessIdentity[];
  /** `NAME=value` entries; a process with any of them in its environment is meant. */
  readonly markers: readonly string[];
  /** The same, for entries that begin so. */
  readonly prefixes?: readonly string[];
  /** Never these, nor what is found only through them. */
  readonly except: readonly number[];
}

/** Linux only: elsewhere neither parents nor environments are to be had without a command per look. */
export function findProcesses(query: ProcessQuery): ProcessIdentity[] {
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
  if (markers.length > 0) {
    for (const {pid, dead} of table) {
      if (!dead && carriesOne(readEnvironment(pid), markers)) take(pid);
    }
  }
  return [...found].map(identify).filter((identity) => identity !== null);
}

/**
 * Whether there is anybody, for half the price: whoever descends from one that is meant is not there
 * without it. Linux only.
 *
 * Whoever is certainly not meant is added to `strangers`; a later look for the same, or for less, passes
 * them over and reads only what has come since.
 */
export function isAnybodyThere(query: ProcessQuery, strangers: Set<number>): boolean {
  if (query.roots.some((root) => !query.except.includes(root.pid) && isAlive(root))) return true;
  const markers = boundedMarkers(query);
  for (const pid of pids()) {
    if (strangers.has(pid) || query.except.includes(pid)) continue;
    const environment = readEnvironment(pid);
    if (carriesOne(environment, markers)) return true;
    if (environment !== UNKNOWN) strangers.add(pid);
  }
  return false;
}

function boundedMarkers({markers, prefixes = []}: ProcessQuery): string[] {
  return [...markers.map((marker) => `\0${marker}\0`), ...prefixes.map((prefix) => `\0${prefix}`)];
}

function carriesOne(environment: string, markers: readonly string[]): boolean {
  return markers.some((marker) => environment.includes(marker));
}

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function readTable(): ProcessStat[] {
  return pids().flatMap((pid) => readStat(pid) ?? []);
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

/** The value of a variable in the environment with which a process was started; null if that is not known. */
export function environmentEntry(pid: number, name: string): string | null {
  const environment = readEnvironment(pid);
  const begin = environment.indexOf(`\0${name}=`);
  if (begin === -1) return null;
  const valueAt = begin + name.length + 2;
  return environment.slice(valueAt, environment.indexOf('\0', valueAt));
}

/** Of a process in the middle of an exec, or without any: nobody can tell whose it is. */
const UNKNOWN = '\0\0';

/** Each entry between two NULs. */
function readEnvironment(pid: number): string {
  try {
    // As UTF-8, for the same reason as above; what is none of it cannot be a marker either.
    return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}\0`;
  } catch (error) {
    // Another user's will never be seen. Whoever is gone may leave its pid to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? '' : UNKNOWN;
  }
}
