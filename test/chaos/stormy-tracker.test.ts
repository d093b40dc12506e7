import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {PuppetTurn} from '@symphony-supervisor/scripts/puppet-turn';
import {KEY} from '../../packages/tracker/test/servers/linear-server.ts';
import type {WorldIssue} from '../../packages/tracker/test/servers/linear-world.ts';
import {Linear} from '../conformance/rig/linear.ts';
import {randomFrom} from '../rig/fixtures/random.ts';
import {readStore} from '../rig/fixtures/store-file.ts';
import type {SupervisorRig} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';
import {Crew} from './weather/crew.ts';
import {Storm} from './weather/storm.ts';
import {purposeOf, TrackerWeather} from './weather/tracker-weather.ts';

const SEED = Number(process.env.CHAOS_SEED ?? 1);
const SLOTS = 3;
/** A request that hangs is given up after 30 s; all else comes within that or soon after. */
const LONG_MS = 120_000;

test('a tracker that fails in every way it can: each issue is handed off, once', async (t) => {
  t.diagnostic(`again with CHAOS_SEED=${SEED}`);
  await using linear = await Linear.open();
  for (let count = 0; count < SLOTS + 2; count++) linear.world.addIssue(linear.team);
  await using storm = await Storm.brews([], settings(linear));
  await using supervisor = storm.start();
  const turns: PuppetTurn[] = [];
  while (turns.length < SLOTS) turns.push(await storm.puppet.nextTurn());

  const crew = new Crew();
  const [ending, ...others] = turns;
  assert.ok(ending !== undefined);
  await outage(linear, storm, supervisor, ending);
  linear.proxy.always(null);
  for (const turn of others) void crew.takes(turn);
  crew.takesAll(storm.puppet).catch(() => {});
  await supervisor.shows('the end of the outage', ({last_error: error}) => error === null);
  const goesOn = await until(async () => (crew.threads.has(ending.threadId) ? true : null));
  assert.ok(goesOn, 'what could not be handed off was not gone on with');

  const handoff = linear.world.state(linear.team, 'In Review');
  const weather = new TrackerWeather(randomFrom(SEED), handoff.id);
  linear.proxy.follow((request) => weather.strike(request));
  await passes(weather, linear);

  linear.proxy.always(null);
  linear.world.addIssue(linear.team);
  const {issues} = linear.world;
  const done = await until(async () => (unfinished(linear).length === 0 ? true : null), LONG_MS);
  assert.ok(done, `not handed off: ${JSON.stringify(unfinished(linear))}`);
  await supervisor.shows('that all is well', ({last_error: error}) => error === null);
  await storm.leavesNothing(supervisor);
  for (const {identifier, moves} of issues) {
    // The mark is good to have, and may be lost; no move is ever made twice.
    const marks = moves.length === 2 ? ['In Progress'] : [];
    assert.deepEqual(moves, [...marks, 'In Review'], identifier);
  }
  checkComments(issues, crew);
});

function settings({proxy}: Linear) {
  const endpoint = proxy.url.href;
  return {
    tracker: {
      kind: 'linear',
      in_progress_state: 'In Progress',
      handoff_state: 'In Review',
      provider: {endpoint, team_key: 'LIN', api_key: KEY},
    },
    agent: {max_turns: 1, max_concurrent_agents: SLOTS, max_retry_backoff_ms: 200},
  };
}

/** The tracker is away while a run ends: that shows, the others go on, and nothing is started. */
async function outage(
  {proxy, world}: Linear,
  storm: Storm,
  supervisor: SupervisorRig,
  ending: PuppetTurn,
): Promise<void> {
  const issue = world.issues.find(({identifier}) => ending.input.includes(identifier));
  assert.ok(issue !== undefined);
  const before = proxy.seen.length;
  proxy.always({is: 'drop'});
  await ending.completes();
  await supervisor.shows('the outage', ({last_error: error, retrying}) => {
    const row = retrying.find(({issue_id: id}) => id === issue.id);
    return /^tracker_request: /.test(error ?? '') && /could not be reached/.test(row?.error ?? '');
  });
  const asked = proxy.seen.slice(before).filter(({body}) => body.includes(issue.id));
  const looks = asked.filter((request) => purposeOf(request, '') === 'look');
  assert.ok(looks.length > 0, 'the handoff was not tried');
  assert.deepEqual(issue.moves, ['In Progress']);
  const {runs} = readStore(storm.folder);
  assert.equal(runs.length, SLOTS, 'a run was begun');
  assert.equal(runs.filter(({ended_at}) => ended_at === null).length, SLOTS - 1, 'a run was ended');
}

/** There is work for as long as it blows, so that everything meets what it can strike. */
async function passes(weather: TrackerWeather, linear: Linear): Promise<void> {
  const passed = await until(async () => {
    while (unfinished(linear).length < SLOTS) linear.world.addIssue(linear.team);
    return weather.toCome.length === 0 ? true : null;
  }, LONG_MS);
  assert.ok(passed, `never came: ${weather.toCome.join('; ')}`);
}

function unfinished({world}: Linear): string[] {
  const left = world.issues.filter(({state}) => state.name !== 'In Review');
  return left.map(({identifier}) => identifier);
}

/** An agent that was told "no" may have been heard all the same; but nothing is ever said twice. */
function checkComments(issues: readonly WorldIssue[], {comments}: Crew): void {
  const written = issues.flatMap((issue) => issue.comments).toSorted();
  assert.deepEqual(written, [...new Set(written)], 'a comment was written twice');
  const promised = [...comments].flatMap(([comment, isWritten]) => (isWritten ? [comment] : []));
  const lost = promised.filter((comment) => !written.includes(comment));
  assert.deepEqual(lost, [], 'a comment was lost that its agent takes for written');
  assert.ok(promised.length > 0, 'nobody could say anything');
}
