import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

/**
 * Identifies a process beyond its pid: pids are reused, so a pid alone never justifies a signal.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal only for the same process, also across a reboot. */
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
 * The program name of a process; null if it is gone. Not its arguments: they may contain secrets,
 * and reading them can block while the process hangs in the kernel.
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
  // Start times count from boot, so without the boot id they would repeat after a reboot.
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
  /** Zombies keep their entry until they are reaped, but are dead. */
  readonly dead: boolean;
  readonly startTicks: string;
  /** False for kernel threads: they have no program, arguments or environment. */
  readonly hasMemory: boolean;
  /** False for a program started without any variable; true during an exec. */
  readonly hasEnvironment: boolean;
}

/** Linux only: `/proc/<pid>/stat`, or null for a process that is gone. */
export function readStat(pid: number): ProcessStat | null {
  try {
    // As UTF-8, which Node decodes three times as fast; most of the time of a scan is spent here.
    return parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
}

export function parseStat(pid: number, text: string): ProcessStat | null {
  // The second field is the command in parentheses and may itself hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  const startTicks = fields[19];
  if (state === undefined || parent === undefined || startTicks === undefined) return null;
  const [codeFrom, environmentFrom, environmentTo] = [fields[23], fields[47], fields[48]];
  // An exec replaces the memory first. It then sets both addresses of the environment to the same value, copies the
  // variables, and sets the address of the code last.
  const isInExec = codeFrom === '0';
  return {
    pid,
    parent: Number(parent),
    dead: state === 'Z' || state === 'X',
    startTicks,
    hasMemory: fields[20] !== '0',
    hasEnvironment: isInExec || environmentFrom === '0' || environmentFrom !== environmentTo,
  };
}

let knownBootId: string | undefined;

function bootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return knownBootId;
}
