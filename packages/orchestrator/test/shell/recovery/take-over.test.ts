import assert from 'node:assert/strict';
import {chmodSync} from 'node:fs';
import {test} from 'node:test';
import type {Host} from '../../../src/shell/host/host.ts';
import {takeOver} from '../../../src/shell/recovery/take-over.ts';
import {REAL_CLOCK} from '../../../src/shell/timers.ts';
import {anIssue, aWorkflow, Table} from '../../core/builders.ts';
import {TemporaryDir, withStore} from '../../store/a-store.ts';

/** One issue of each project runs. */
function claimsOf(...projects: string[]) {
  const table = new Table();
  for (const name of projects) {
    table.project({name}, [anIssue()]);
    table.starts(anIssue(), name);
  }
  return table.state.claims;
}

/** A start that is given these projects; what it would end of a former life is only noted. */
async function start(stateDir: string, projects: readonly string[]) {
  const ended: string[] = [];
  const host: Pick<Host, 'endEarlierRuns'> = {
    endEarlierRuns: async ({runIds}) => void ended.push(...runIds),
  };
  const outside = {clock: REAL_CLOCK, newLife: () => 'life'};
  const logged: string[] = [];
  const log = (_level: string, {reason}: {readonly reason?: unknown}) => {
    if (typeof reason === 'string') logged.push(reason);
  };
  const workflows = projects.map((name) => aWorkflow({name}));
  const taken = await takeOver({stateDir, workflows, maxAgents: null, log}, outside, host);
  await taken.store[Symbol.asyncDispose]();
  await taken.lock[Symbol.asyncDispose]();
  return {claims: [...taken.state.claims.values()], ended, logged};
}

test('claims of a project that is not given rest in the store until it is given again', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => store.save({claims: claimsOf('a', 'b')}));
  const without = await start(dir.path, ['a']);
  assert.deepEqual(
    without.claims.map(({project, is}) => [project, is]),
    [['a', 'retrying']],
  );
  assert.equal(without.ended.length, 2, 'whatever runs is ended, whosever it is');
  assert.deepEqual(without.logged, ['1 of projects without a given workflow stay in the store']);
  const both = await start(dir.path, ['a', 'b']);
  assert.deepEqual(
    both.claims.map(({project, is}) => [project, is]),
    [
      ['a', 'retrying'],
      ['b', 'retrying'],
    ],
  );
});

test('a state directory that others may enter is warned of at the start', async () => {
  using dir = new TemporaryDir();
  chmodSync(dir.path, 0o700);
  assert.deepEqual((await start(dir.path, [])).logged, []);
  chmodSync(dir.path, 0o755);
  const [warning = ''] = (await start(dir.path, [])).logged;
  assert.match(warning, /other users can enter .* \(mode 755\); chmod 700 it/);
});
