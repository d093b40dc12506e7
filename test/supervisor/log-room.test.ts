import assert from 'node:assert/strict';
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {Storm} from '../chaos/weather/storm.ts';
import {writeIssue} from '../rig/supervisor.ts';

/** Small enough for every day; `LOG_RUNS=30 LOG_MB=600` for the whole of it. */
const RUNS = Number(process.env.LOG_RUNS ?? 6);
const MEGABYTES = Number(process.env.LOG_MB ?? 6);
/** So that what is printed is far beyond what may be kept, of each run and of all. */
const MAX_RUN_MB = Math.max(1, Math.floor(MEGABYTES / 20));
const MAX_TOTAL_MB = 3 * MAX_RUN_MB;
const EVENT_BYTES = 16_000;
/** A runner takes most of a processor meanwhile; this many are under way. */
const SIDE_BY_SIDE = 2;

test('runs that print far too much: the logs stay below their sum, and work goes on', async () => {
  const logs = {max_run_mb: MAX_RUN_MB, max_total_mb: MAX_TOTAL_MB};
  await using storm = await Storm.brews([], {agent: {max_concurrent_agents: SIDE_BY_SIDE}, logs});
  await using supervisor = storm.start();
  const folder = join(storm.folder, '.symphony/logs');
  let largest = 0;
  const look = async () => {
    largest = Math.max(largest, await bytesIn(folder));
  };
  const issues = Array.from({length: RUNS}, (_, nth) => `T-${nth + 1}`);
  for (const issue of issues) await writeIssue(storm.folder, issue, 'Todo');
  let left = RUNS;
  const takesTurns = async (): Promise<void> => {
    while (left-- > 0) {
      const turn = await storm.puppet.nextTurn();
      await turn.performs({
        flood: Math.ceil((MEGABYTES * 1_000_000) / EVENT_BYTES),
        size: EVENT_BYTES,
      });
      await look();
      const issue = issues.find((one) => turn.input.includes(`${one}.`)) ?? assert.fail(turn.input);
      await storm.completes(turn, issue);
      await look();
    }
  };
  await Promise.all(Array.from({length: SIDE_BY_SIDE}, takesTurns));
  assert.ok(largest > MAX_RUN_MB * 1_000_000, 'it was to come near its limits');
  assert.ok(largest <= MAX_TOTAL_MB * 1_000_000, `${largest} bytes`);
  assert.ok(supervisor.log.some(({event}) => event === 'logs.trimmed'));
  await storm.isOver(supervisor);
});

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, {recursive: true});
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0, // deleted since
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
