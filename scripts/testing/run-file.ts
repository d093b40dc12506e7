import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {
  commandOf,
  endProcesses,
  findProcesses,
  identify,
} from '@symphony-supervisor/protocol/processes';
import type {EventLine} from './event-lines.ts';
import {ROOT} from './suites.ts';

export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failures: readonly Named[];
  readonly skipped: readonly Named[];
  readonly notes: readonly string[];
  /** What the file printed, its end. */
  readonly output: string;
  readonly ms: number;
}

/** A test, and why it failed or was skipped. */
export interface Named {
  readonly name: string;
  readonly text: string;
}

export interface FileOptions {
  /** Goes into the environment of the file and of all that it starts, which is how these are found. */
  readonly id: string;
  /** For Node, before the file. */
  readonly node: readonly string[];
  readonly limitMs: number;
  /** Where the file's events are written meanwhile. */
  readonly folder: string;
}

const REPORTER = fileURLToPath(new URL('event-lines.ts', import.meta.url));
const OUTPUT_CHARACTERS = 20_000;
/** Processes whose end a test has ordered, and helpers that end with the file, need a moment. */
const LEFTOVER_GRACE_MS = 5000;
const LAST_WORDS_MS = 500;
const POLL_MS = 25;

/** Runs one test file in a process of its own, and ends all that it leaves. */
export async function runFile(
  file: string,
  {id, node, limitMs, folder}: FileOptions,
): Promise<FileResult> {
  const startedAt = performance.now();
  const events = join(folder, `${id}.jsonl`);
  const reporter = [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${events}`];
  const child = spawn(process.execPath, ['--import', 'tsx', ...node, ...reporter, file], {
    cwd: ROOT,
    env: {...process.env, TEST_FILE_ID: id},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS);
    });
  }
  const closed = once(child, 'close');
  const root = identify(child.pid ?? -1);
  const query = {
    roots: root === null ? [] : [root],
    markers: [`TEST_FILE_ID=${id}`],
    except: [process.pid],
  };
  let isHung = false;
  const limit = setTimeout(() => {
    isHung = true;
    void endProcesses(query, 0);
  }, limitMs);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(limit);
  // Its last words; not for ever, a child that it left may hold the pipe open.
  await Promise.race([closed, sleep(LAST_WORDS_MS, null, {ref: false})]);

  const told = tally(await linesIn(events));
  const failures = [...told.failures];
  if (isHung) {
    const names = told.unfinished.join(', ');
    const text = `took longer than ${limitMs / 1000} s and was killed; it was at: ${names}`;
    failures.push({name: '(the file)', text});
  } else if (code !== 0 && failures.length === 0) {
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    failures.push({name: '(the file)', text: `ended with ${how}${firstError(output)}`});
  } else if (failures.length + told.skipped.length + told.passed === 0 && !hasPattern(node)) {
    failures.push({name: '(the file)', text: 'has no test that ran'});
  }
  const left = await leftovers(query.markers);
  if (left.length > 0) {
    failures.push({name: '(the file)', text: `left processes running: ${left.join(', ')}`});
    await endProcesses(query, 0);
  }
  return {file, ...told, failures, output, ms: performance.now() - startedAt};
}

/** The line that says why a process ended, among what it printed. */
function firstError(output: string): string {
  const [line] = /^\w*Error\b.*$/m.exec(output) ?? [];
  return line === undefined ? '' : `: ${line}`;
}

async function linesIn(path: string): Promise<EventLine[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  // The last line of a file that was killed may be cut off.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function tally(lines: readonly EventLine[]) {
  const passed = lines.filter(({is}) => is === 'passed').length;
  const failures: Named[] = [];
  const skipped: Named[] = [];
  const notes: string[] = [];
  const unfinished = new Set<string>();
  for (const line of lines) {
    if (line.is === 'note') notes.push(line.text);
    else if (line.is === 'begun') unfinished.add(line.name);
    else unfinished.delete(line.name.split(' > ').at(-1) ?? '');
    if (line.is === 'failed') failures.push({name: line.name, text: line.error});
    if (line.is === 'skipped') skipped.push({name: line.name, text: line.why});
  }
  return {passed, failures, skipped, notes, unfinished: [...unfinished]};
}

/** A pattern chooses tests by name, and some files have none of that name. */
function hasPattern(node: readonly string[]): boolean {
  return node.some((option) => option.startsWith('--test-name-pattern'));
}

/** Looked up in /proc; without that, a file that leaves processes is not noticed. */
async function leftovers(markers: readonly string[]): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const query = {roots: [], markers, except: [process.pid]};
  const deadline = performance.now() + LEFTOVER_GRACE_MS;
  for (;;) {
    const found = findProcesses(query);
    if (found.length === 0) return [];
    if (performance.now() > deadline) {
      return found.map(({pid}) => `${commandOf(pid) ?? 'a process'} (${pid})`);
    }
    await sleep(POLL_MS);
  }
}
