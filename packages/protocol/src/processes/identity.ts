import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

/**
 * A process, told apart from a later one with the same number: pids are reused, so a pid alone never
 * justifies a signal.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal for the same process only, also across a reboot. */
  readonly startedAt: string;
}

export function identify(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  return startedAt === null ? null : {pid, startedAt};
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/**
 * The name of a process's program; null for one that is gone. Not its arguments: they may hold secrets, and to read
 * them can block while the process hangs in the kernel.
 */
export function commandOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

function startOnLinux(pid: number): string | null {
  const stat = readStat(pid);
  // Start times count from boot, so without the boot's own id they would repeat after a restart.
  return stat === null || stat.dead ? null : `${bootId()}:${stat.startTicks}`;
}

function startByPs(pid: number): string | null {
  try {
    const [state = '', ...start] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return start.length === 0 || state.startsWith('Z') ? null : start.join(' ');
  } catch {
    return null;
  }
}

export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** Zombies keep their entry until somebody reaps them; they are dead all the same. */
  readonly dead: boolean;
  readonly startTicks: string;
  /** False for threads of the kernel: they run no program, and have neither arguments nor environment. */
  readonly hasMemory: boolean;
  /** False for a program that was started without any variable; true in the middle of an exec. */
  readonly hasEnvironment: boolean;
}

/** Linux only: `/proc/<pid>/stat`, or null for a process that is gone. */
export function readStat(pid: number): ProcessStat | null {
  let text: string;
  try {
    // As UTF-8, which Node reads three times as fast: a look at all processes is mostly this.
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field is the command in parentheses and may itself hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  const startTicks = fields[19];
  if (state === undefined || parent === undefined || startTicks === undefined) return null;
  const [environmentFrom, environmentTo] = [fields[47], fields[48]];
  return {
    pid,
    parent: Number(parent),
    dead: state === 'Z' || state === 'X',
    startTicks,
    hasMemory: fields[20] !== '0',
    // Both addresses are 0 from the moment an exec has replaced the memory until the new environment is in it.
    hasEnvironment: environmentFrom === '0' || environmentFrom !== environmentTo,
  };
}

let knownBootId: string | undefined;

function bootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return knownBootId;
}
