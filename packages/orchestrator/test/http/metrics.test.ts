import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {Metrics} from '../../src/metrics/index.ts';
import {readSamples} from './read-samples.ts';
import {Served} from './served.ts';

const docs = (name: string) => new URL(`../../../../docs/${name}`, import.meta.url);

/** Every metric with its type. */
async function known(): Promise<Map<string, string>> {
  using metrics = new Metrics();
  const text = await metrics.text();
  return new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
}

test('a run is seen in the numbers, from its dispatch to its end', async () => {
  using metrics = new Metrics();
  await using served = await Served.start({
    issues: ['T-1', 'T-2'],
    settings: {agent: {max_concurrent_agents: 1, max_retry_backoff_ms: 3_600_000}},
    metrics,
  });
  const read = async () => readSamples(await (await served.ask('/metrics')).text());
  const turn = await served.puppet.nextTurn();
  await served.until(({running}) => running[0]?.phase === 'streaming_turn');
  const during = await read();
  assert.equal(during.get('symphony_claims{project="p",state="running"}'), 1);
  assert.equal(during.get('symphony_claims{project="p",state="held"}'), 0);
  assert.equal(during.get('symphony_waiting_issues{project="p"}'), 1);
  assert.equal(during.get('symphony_slots_used{project="p"}'), 1);
  assert.equal(during.get('symphony_slots_limit{project="p"}'), 1);
  assert.equal(during.get('symphony_dispatches_total{project="p",role="worker"}'), 1);
  assert.ok((during.get('symphony_tick_duration_seconds_count{project="p"}') ?? 0) >= 1);
  assert.ok((during.get('symphony_store_write_duration_seconds_count') ?? 0) >= 1);
  for (const process of ['runner', 'agent']) {
    const bytes = during.get(`symphony_run_memory_bytes{process="${process}",kind="rss"}`) ?? 0;
    assert.ok(bytes > 1_000_000, `${process} has ${bytes}`);
  }

  await turn.uses({input: 70, output: 30});
  await served.until(({codex_totals}) => codex_totals.total_tokens > 0);
  await served.order(`/api/v1/${turn.input.match(/T-\d/)}/stop`);
  await served.until(({held}) => held.length === 1);
  const next = await served.puppet.nextTurn();
  await next.fails('no luck');
  await served.until(({retrying}) => retrying.length === 1);
  const later = await read();
  assert.equal(later.get('symphony_tokens_total{project="p",type="input"}'), 70);
  assert.equal(later.get('symphony_tokens_total{project="p",type="output"}'), 30);
  const retries = 'symphony_retries_total{project="p",kind="failure",cause="turn_failed"}';
  assert.equal(later.get(retries), 1);
  const exits =
    'symphony_run_exits_total{project="p",role="worker",outcome="stopped_by_operator",failure="none"}';
  assert.equal(later.get(exits), 1);
  assert.equal(later.get('symphony_held_issues{project="p",reason="stopped_by_operator"}'), 1);
  const count = 'symphony_run_duration_seconds_count{project="p",outcome="stopped_by_operator"}';
  assert.equal(later.get(count), 1);
});

test('the documentation lists every metric with its type, and no other', async () => {
  const text = await readFile(docs('metrics.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name, type]) => [
    name,
    type,
  ]);
  assert.deepEqual(listed.toSorted(), [...(await known())].toSorted());
});

test('the Grafana dashboard asks only for what is measured', async () => {
  const text = await readFile(docs('grafana-dashboard.json'), 'utf8');
  const {panels} = JSON.parse(text) as {panels: {title: string; targets?: {expr: string}[]}[]};
  const expressions = panels.flatMap(({targets = []}) => targets.map(({expr}) => expr));
  assert.ok(expressions.length >= 10);
  const names = await known();
  for (const expression of expressions) {
    const asked = expression.match(/\b(symphony|process)_\w+/g) ?? [];
    assert.ok(asked.length > 0, expression);
    for (const name of asked) {
      const base = name.replace(/_(bucket|sum|count)$/, '');
      const isKnown = names.has(name) || names.get(base) === 'histogram';
      assert.ok(isKnown, `${name} in ${expression}`);
    }
  }
});
