import {performance} from 'node:perf_hooks';
import {decide, emptyState} from 'symphony-supervisor/core';
import {type Measure, median, type Row} from '../measure.ts';
import {anIssue, aWorkflow} from '../rig/core-input.ts';

const CLAIMS = 200;
const CANDIDATES = [100, 1_000, 10_000];
const REPEATS = 25;

/** One tick's decision beside 200 claims: ten times the candidates may cost little more than ten times. */
export const tick: Measure = {
  name: 'tick',
  isGuarded: false,
  take: async () => {
    const rows: Row[] = [];
    let before: number | null = null;
    const times = new Map(CANDIDATES.map((candidates): [number, number[]] => [candidates, []]));
    for (const candidates of CANDIDATES) decided(candidates); // the first finds nothing compiled
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      // In turn: whatever else the machine does happens to all of them.
      for (const [candidates, taken] of times) taken.push(decided(candidates));
    }
    for (const [candidates, taken] of times) {
      const ms = median(taken);
      rows.push({
        measure: `decision of a tick, ${candidates} candidates`,
        value: {amount: ms, unit: 'ms'},
        floor: before === null ? null : {amount: before, unit: 'ms'},
        aim: before === null ? null : {is: 'times', atMost: 12},
      });
      before = ms;
    }
    return rows;
  },
};

/** How long one decision took. */
function decided(candidates: number): number {
  const claimed = Array.from({length: CLAIMS}, (_, number) => anIssue(1_000_000 + number, false));
  const fresh = Array.from({length: candidates}, (_, number) =>
    anIssue(number + 1, number % 3 === 0),
  );
  let state = emptyState('bench');
  const post = (event: object) => {
    ({state} = decide(state, {at: 1, ...event} as never));
  };
  const about = {project: 'bench', scope: 0};
  post({type: 'project.loaded', workflow: aWorkflow(CLAIMS)});
  const result = {version: '1', logged_in: true, failure: null};
  post({type: 'agent.probed', project: 'bench', result});
  post({type: 'candidates.read', ...about, answer: {ok: true, value: claimed}});
  post({type: 'project.loaded', workflow: aWorkflow(CLAIMS + 20)});
  const ids = claimed.map(({id}) => id);
  const startedAt = performance.now();
  post({type: 'claimed.read', ...about, ids, answer: {ok: true, value: claimed}});
  post({type: 'candidates.read', ...about, answer: {ok: true, value: fresh}});
  const ms = performance.now() - startedAt;
  if (state.claims.size !== CLAIMS + 20) throw new Error(`${state.claims.size} claims`);
  return ms;
}
