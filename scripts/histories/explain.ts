import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {type Difference, tryReplay} from './compare.ts';
import type {Core, Decision} from './core.ts';
import {ordersOf, writtenOf} from './decision.ts';
import {Digests} from './digest.ts';
import {toJson} from './json.ts';
import type {Step} from './recording.ts';
import {NO_RENAMES, type Renames} from './renames.ts';

const LINES_SHOWN = 40;
const WIDTH = 240;

/** The core of the checkout that recorded; null if that folder is gone. */
export async function recordedCore(folder: string): Promise<Core | null> {
  const path = join(folder, 'scripts/histories/core.ts');
  if (!existsSync(path)) return null;
  const {core} = (await import(pathToFileURL(path).href)) as {readonly core: Core};
  return core;
}

/** For people: which event, and what each of the two cores made of it. */
export function explain(
  {history, folder, steps}: Difference,
  base: Core | null,
  tree: Core,
  renames: Renames,
): string {
  const last = steps.at(-1);
  const about = last?.is === 'event' ? last.event : {type: 'start', ...last};
  const head = `history ${history}, step ${steps.length - 1}: ${cut(toJson(about), 2000)}`;
  if (base === null) return `${head}\n  ${folder} is gone, so what was recorded cannot be shown`;
  const [then, now] = [lastOf(steps, base, NO_RENAMES), lastOf(steps, tree, renames)];
  const found = [...differences(then, now, new Digests(renames))];
  const more = found.length > LINES_SHOWN ? [`… and ${found.length - LINES_SHOWN} more`] : [];
  return [head, ...found.slice(0, LINES_SHOWN), ...more].join('\n  ');
}

function lastOf(steps: readonly Step[], core: Core, renames: Renames): unknown {
  let before = core.emptyState('');
  let decision: Decision | null = null;
  for (const step of steps) {
    if (decision !== null) before = decision.state;
    const next = tryReplay(core, before, step, renames);
    if (next instanceof Error) return {thrown: next.message};
    decision = next;
  }
  if (decision === null) return null;
  return {
    state: decision.state,
    orders: ordersOf(before, decision),
    written: writtenOf(decision),
  };
}

/** Paths of the values that differ, each with the recorded value and the new one. */
function* differences(then: unknown, now: unknown, digests: Digests, path = ''): Generator<string> {
  if (digests.of(then) === digests.of(now)) return;
  const [a, b] = [entriesOf(then, digests), entriesOf(now, digests)];
  if (a === null || b === null) {
    yield `${path}: ${cut(toJson(then) ?? 'none')} → ${cut(toJson(now) ?? 'none')}`;
    return;
  }
  const keys = new Set([...a.keys(), ...b.keys()]);
  let isOrder = true;
  for (const key of keys) {
    for (const line of differences(a.get(key), b.get(key), digests, `${path}.${key}`)) {
      isOrder = false;
      yield line;
    }
  }
  if (isOrder) yield `${path}: in another order: ${[...a.keys()]} → ${[...b.keys()]}`;
}

function entriesOf(value: unknown, digests: Digests): Map<string, unknown> | null {
  if (value === null || typeof value !== 'object') return null;
  if (value instanceof Map) return value;
  if (value instanceof Set) return new Map([...value].map((one) => [String(one), one]));
  return new Map(digests.entriesOf(value));
}

function cut(text: string, width = WIDTH): string {
  return text.length <= width ? text : `${text.slice(0, width)}…`;
}
