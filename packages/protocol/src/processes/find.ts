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
  const markers = [
    ...query.markers.map((marker) => Buffer.from(`\0${marker}\0`)),
    ...(query.prefixes ?? []).map((prefix) => Buffer.from(`\0${prefix}`)),
  ];
  if (markers.length > 0) {
    for (const {pid, dead} of table) if (!dead && carriesMarker(pid, markers)) take(pid);
  }
  return [...found].map(identify).filter((identity) => identity !== null);
}

function readTable(): ProcessStat[] {
  const table: ProcessStat[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readStat(pid);
    if (stat !== null) table.push(stat);
  }
  return table;
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

const NUL = Buffer.from('\0');

function carriesMarker(pid: number, markers: readonly Buffer[]): boolean {
  let environment: Buffer;
  try {
    environment = readFileSync(`/proc/${pid}/environ`);
  } catch {
    return false; // gone, or another user's
  }
  if (environment.length === 0) return false;
  const bounded = Buffer.concat([NUL, environment, NUL]);
  return markers.some((marker) => bounded.includes(marker));
}
