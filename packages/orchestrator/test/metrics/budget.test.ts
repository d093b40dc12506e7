import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {TrackerBudget} from '@symphony-supervisor/protocol';
import {makeInstruments} from '../../src/metrics/instruments.ts';
import {readLevels} from '../../src/metrics/read-levels.ts';
import {aWorkflow, Table} from '../core/builders.ts';

test('what a tracker still allows is read from its last answer', async () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  const budget: TrackerBudget = {
    made: {request: 7, failed: 1},
    requests: {limit: 100, remaining: 93, resets_at: null},
    complexity: null,
    not_before: null,
  };
  const answer = {ok: true, value: []} as const;
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer, budget});
  const to = makeInstruments();
  // Twice: levels that have been read are not added up.
  for (const _look of [1, 2]) readLevels(to, table.state, table.now);
  const text = await to.registry.metrics();
  const samples = text.split('\n').filter((line) => /^symphony_tracker_/.test(line));
  assert.deepEqual(samples.filter((line) => !/duration/.test(line)).toSorted(), [
    'symphony_tracker_budget_limit{project="p",budget="requests"} 100',
    'symphony_tracker_budget_remaining{project="p",budget="requests"} 93',
    'symphony_tracker_requests_total{project="p",result="failed"} 1',
    'symphony_tracker_requests_total{project="p",result="request"} 7',
  ]);
});
