import {mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import type {TrackerSettings} from '@symphony-supervisor/protocol';
import {openTracker, secretResolver} from '@symphony-supervisor/tracker';

// How long a read of the file tracker takes: cold, then warm, then warm with one file in a hundred
// edited meanwhile. `npm run bench:file-tracker`

const REPEATS = 15;
const LONG_AGO = new Date('2024-01-01T00:00:00Z');

function anIssueFile(number: number): string {
  const lines = [
    '---',
    `title: Issue ${number}`,
    'state: Todo # as people write',
    `priority: ${(number % 4) + 1}`,
    'labels: [agent, Bug]',
    ...(number % 3 === 0 ? ['blocked_by: [B-0]'] : []),
    '---',
    ...Array.from({length: 20}, (_, line) => `Line ${line} of what is to be done, in some words.`),
    '\n## Comments\n\n### 2024-01-01T00:00:00Z\n\nDone so far: nothing.',
  ];
  return `${lines.join('\n')}\n`;
}

function settings(path: string): TrackerSettings {
  return {
    ...{kind: 'file', provider: {path}, secrets: {}, secretNames: []},
    ...{activeStates: ['Todo'], terminalStates: ['Done'], unstartedStates: ['Todo']},
    ...{requiredLabels: [], excludedLabels: [], inProgressState: null, handoffState: null},
  };
}

async function measured(count: number): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'bench-issues-'));
  const write = (number: number) => {
    const file = join(path, `B-${number}.md`);
    writeFileSync(file, anIssueFile(number));
    // A file that was written just now is read again each time, whatever its stamp says.
    utimesSync(file, LONG_AGO, LONG_AGO);
  };
  try {
    for (let number = 0; number < count; number++) write(number);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const opened = await openTracker(settings(path), {resolveSecret: secretResolver({})});
    if (!opened.ok) throw new Error(opened.failure.message);
    await using tracker = opened.value;
    const read = async () => {
      const startedAt = performance.now();
      const answer = await tracker.issuesByStates(['Todo'], AbortSignal.timeout(60_000));
      const ms = performance.now() - startedAt;
      if (!answer.ok || answer.value.length !== count) throw new Error(JSON.stringify(answer));
      return ms;
    };
    const cold = await read();
    const warm = await medianOf(read);
    const edited = await medianOf(async () => {
      for (let number = 0; number < count; number += 100) write(number);
      return read();
    });
    return [cold, warm, edited].map((ms) => `${ms.toFixed(0).padStart(6)} ms`).join('  ');
  } finally {
    rmSync(path, {recursive: true});
  }
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) times.push(await measure());
  return times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? Number.NaN;
}

console.log('         files       cold       warm  1 % edited');
for (const count of [200, 2_000, 10_000]) {
  console.log(`${String(count).padStart(8)} files  ${await measured(count)}`);
}
