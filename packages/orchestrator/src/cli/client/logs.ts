import {createReadStream, existsSync} from 'node:fs';
import {open, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {LOG_FILE} from '../../logging/open-log.ts';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {logsRootFor, stateDirFor} from '../places.ts';
import type {LogsOptions} from './client-commands.ts';

/** Polling interval for new lines; a file watch would be faster, but not on every file system. */
const LOOK_MS = 250;

/** Reads the log files, so it also works without a supervisor. */
export async function logs(issue: string | null, options: LogsOptions): Promise<ExitCode> {
  const stateDir = stateDirFor([], options.stateDir);
  const path = join(logsRootFor(stateDir, options.logsRoot), LOG_FILE);
  if (!existsSync(path)) {
    const remedy = 'give its folder with --state-dir or --logs-root';
    throw new ExitWith(EXIT.unexpected, `there is no log ${path}\n${remedy}`);
  }
  const color = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  const print = options.json
    ? (line: string) => `${line}\n`
    : (await import('../../logging/pretty-lines.ts')).prettyLines(color);
  const isWanted = (line: string): boolean => issue === null || isAbout(line, issue);
  const {lines, readTo} = await lastLines(path, options.lines, isWanted);
  for (const line of lines) process.stdout.write(print(line));
  if (options.follow) {
    await follow(path, readTo, (line) => isWanted(line) && process.stdout.write(print(line)));
  }
  return EXIT.fine;
}

function isAbout(line: string, issue: string): boolean {
  if (!line.includes(issue)) return false;
  try {
    const fields: unknown = JSON.parse(line);
    return (
      typeof fields === 'object' &&
      fields !== null &&
      'issue_identifier' in fields &&
      fields.issue_identifier === issue
    );
  } catch {
    return false;
  }
}

interface Tail {
  readonly lines: string[];
  /** The offset in the newest file at which reading ended. */
  readonly readTo: number;
}

/** From the newest file back to older ones, as far as needed. */
async function lastLines(
  path: string,
  most: number,
  isWanted: (line: string) => boolean,
): Promise<Tail> {
  const {size} = await stat(path);
  let lines: string[] = [];
  for (let number = 0; lines.length < most; number++) {
    const file = number === 0 ? path : `${path}.${number}`;
    if (!existsSync(file)) break;
    const older = await lastOf(file, number === 0 ? size : null, most - lines.length, isWanted);
    lines = [...older, ...lines];
  }
  return {lines, readTo: size};
}

async function lastOf(
  file: string,
  size: number | null,
  most: number,
  isWanted: (line: string) => boolean,
): Promise<string[]> {
  if (most === 0 || size === 0) return [];
  const input = createReadStream(file, size === null ? {} : {end: size - 1});
  const kept: string[] = [];
  for await (const line of createInterface({input, crlfDelay: Number.POSITIVE_INFINITY})) {
    if (line === '' || !isWanted(line)) continue;
    kept.push(line);
    if (kept.length > most) kept.shift();
  }
  return kept;
}

/** Follows the log over rotations until it is interrupted. */
async function follow(path: string, from: number, tell: (line: string) => void): Promise<void> {
  let file = await open(path);
  let position = from;
  let rest = '';
  const buffer = Buffer.alloc(64 * 1024);
  for (;;) {
    const {bytesRead} = await file.read(buffer, 0, buffer.length, position);
    position += bytesRead;
    // A character split by the buffer is rare and only displayed.
    const lines = `${rest}${buffer.toString('utf8', 0, bytesRead)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') tell(line);
    if (bytesRead > 0) continue;
    const current = await stat(path).catch(() => null);
    if (current !== null && current.ino !== (await file.stat()).ino) {
      await file.close();
      file = await open(path);
      position = 0;
    } else await sleep(LOOK_MS);
  }
}
