import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {NO_USAGE} from '@symphony-supervisor/protocol';
import {emptyState} from 'symphony-supervisor/core';
import {Loop} from 'symphony-supervisor/loop';
import {openStore, type Store} from 'symphony-supervisor/store';
import {inTurn, type Measure} from '../measure.ts';
import {anIssue, aWorkflow} from '../rig/core-input.ts';

const ON_RECORD = 50_000;
const RUNS = 50;
const REPORTS = 500;

/**
 * An agent's report of its tokens, from the event to the store, beside 50 runs: it may not cost more for
 * all the issues that there ever were.
 */
export const reportCost: Measure = {
  name: 'report',
  isGuarded: true,
  take: async ({full}) => {
    const folder = mkdtempSync(join(tmpdir(), 'symphony-bench-report-'));
    const [old, young] = [openStore(join(folder, 'old')), openStore(join(folder, 'young'))];
    try {
      const value = supervisor(old.store, ON_RECORD);
      const floor = supervisor(young.store, 0);
      const taken = await inTurn(
        full ? 25 : 9,
        async () => perReport(value),
        async () => perReport(floor),
      );
      return [
        {
          measure: `report of tokens until it is stored, ${ON_RECORD} issues on record, ${RUNS} runs`,
          value: {amount: taken.value, unit: 'µs'},
          floor: {amount: taken.floor, unit: 'µs'},
          aim: {is: 'times', atMost: 2},
        },
      ];
    } finally {
      for (const {store} of [old, young]) await store[Symbol.asyncDispose]();
      rmSync(folder, {recursive: true, force: true});
    }
  },
};

/** The loop of a supervisor that was started on a store with so many issues; returns how it takes a report. */
function supervisor(store: Store, onRecord: number): (nth: number) => void {
  const former = Array.from({length: onRecord}, (_, number) => `bench/old-${number}`);
  store.save({
    counters: new Map(former.map((key) => [key, {runs: 3, tokens: 1_000_000, idleRuns: 0}])),
  });
  const {counters, workspaces} = store.load();
  let save = (): void => {};
  const loop = new Loop({
    state: {...emptyState('bench'), counters, workspaces},
    store,
    log: () => {},
    perform: () => {},
    clock: {
      ...{now: () => 1, monotonic: () => 1, clearTimeout: () => {}},
      // Progress is stored once a second; here with each report, so that the write is measured, too.
      setTimeout: (wake) => {
        save = wake;
      },
    },
  });
  const post = (event: object) => loop.post(event as never);
  post({type: 'project.loaded', workflow: aWorkflow(RUNS)});
  const result = {version: '1', logged_in: true, failure: null};
  post({type: 'agent.probed', project: 'bench', agentKind: 'codex', result});
  const issues = Array.from({length: RUNS}, (_, number) => anIssue(number + 1));
  const about = {project: 'bench', scope: 0, askedAt: 1};
  post({type: 'candidates.read', ...about, answer: {ok: true, value: issues}});
  const runs = [...loop.state.claims].map(([key, claim]) => {
    const runId = 'run' in claim ? claim.run?.id : undefined;
    const read = {ok: true, value: claim.issue};
    const counted = store.countersOf(key);
    post({type: 'issue.read', key, runId, askedAt: 2, answer: read, counters: counted});
    post({type: 'runner.started', key, runId, process: {pid: 1, startedAt: '1'}});
    return {key, runId};
  });
  if (runs.length !== RUNS) throw new Error(`${runs.length} runs`);

  return (nth) => {
    const usage = {...NO_USAGE, input_tokens: nth, total_tokens: nth};
    const progress = {
      ...{
        event: 'tokens',
        message: null,
        messages: nth,
        signs_of_life: nth,
        rate_limits: null,
        is_measured: true,
        models: [],
      },
      ...{usage, thread_usage: usage},
    };
    const report = {type: 'agent', progress};
    post({type: 'runner.reported', ...runs[nth % RUNS], report});
    save();
  };
}

let reported = 0;

function perReport(report: (nth: number) => void): number {
  const startedAt = performance.now();
  for (let nth = 0; nth < REPORTS; nth++) report(++reported);
  return ((performance.now() - startedAt) * 1000) / REPORTS;
}
