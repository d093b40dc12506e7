import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {AgentBasics, RunFailure, ThreadRecord} from '@symphony-supervisor/protocol';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import type {Agent} from '../../src/agent/agent.ts';
import {type Conversation, converseWith, LOOK, probeWith} from './conversation.ts';

/** What an agent does in a turn, whatever its kind. A turn without an end of its own is completed. */
export type Deed =
  | {readonly is: 'say'; readonly text: string}
  | {readonly is: 'use'; readonly tokens: number}
  | {readonly is: 'call'; readonly tool: string; readonly args: object}
  | {readonly is: 'ask'; readonly question: string}
  | {readonly is: 'fail'; readonly reason: string}
  | {readonly is: 'hang'}
  | {readonly is: 'die'};

/** A kind of agent, with a program that plays it. */
export interface PlayedAgent<Job extends AgentBasics> {
  readonly agent: Agent<Job>;
  /** Starts a player that does this, a list of deeds for each turn. It keeps its conversations in `home`. */
  job(home: string, turns: readonly (readonly Deed[])[]): Job;
  /** A player that starts and refuses to work with us. */
  refusing(): Job;
  /** A player whose user is not logged in; null: this kind cannot know. */
  loggedOut(): Job | null;
}

const say = (text: string): Deed => ({is: 'say', text});

/** What the rest of the runner relies on, for every kind of agent. */
export function testContract<Job extends AgentBasics>(name: string, kind: PlayedAgent<Job>): void {
  const {agent} = kind;
  const check = (rule: string, act: (home: string, t: Talk<Job>) => Promise<void>) =>
    test(`${name}: ${rule}`, async () => {
      await using folder = await aFolder();
      await act(folder.path, (job) => converseWith(agent, job, folder.path));
    });

  check('a turn is taken, and what was said is told and kept', async (home, talk) => {
    await using conversation = talk(kind.job(home, [[say('good morning')]]));
    const {session, started, told, processes} = conversation;
    assert.deepEqual(await session.start(null), {resumed: false});
    assert.notEqual(session.threadId, '');
    assert.equal(await conversation.turn('Hello.'), null);
    assert.equal(started.length, 1, 'a turn begins once');
    assert.equal(processes.length, 1);
    assert.ok((told().signs_of_life ?? 0) > 0);
    assert.equal(told().message, 'good morning');
    const lines = await conversation.transcript();
    assert.ok(
      lines.some(({ev, text}) => ev === 'message' && text === 'good morning'),
      'kept',
    );
    assert.ok(lines.some(({dir}) => dir === '->') && lines.some(({dir}) => dir === '<-'));
  });

  check('further turns are turns of the same conversation and process', async (home, talk) => {
    await using conversation = talk(kind.job(home, [[say('one')], [say('two')]]));
    await conversation.session.start(null);
    for (const said of ['one', 'two']) {
      assert.equal(await conversation.turn('Go on.'), null);
      assert.equal(conversation.told().message, said);
    }
    assert.equal(new Set(conversation.started).size, 2, 'turns have ids of their own');
    assert.equal(conversation.processes.length, 1);
  });

  check('a conversation is resumed, and nothing of it is counted twice', async (home, talk) => {
    const turns: Deed[][] = [[{is: 'use', tokens: 100}], [{is: 'use', tokens: 10}]];
    const recorded = await (async () => {
      await using first = talk(kind.job(home, turns.slice(0, 1)));
      await first.session.start(null);
      assert.equal(await first.turn('Begin.'), null);
      return recordOf(first);
    })();
    await using second = talk(kind.job(home, turns.slice(1)));
    assert.deepEqual(await second.session.start(recorded), {resumed: true});
    assert.equal(second.session.threadId, recorded.id);
    assert.equal(await second.turn('Go on.'), null);
    if (!agent.isMeasured(kind.job(home, []))) return;
    assert.equal(recorded.usage.total_tokens, 100);
    assert.equal(second.progress.meter.run.total_tokens, 10);
    assert.equal(recordOf(second).usage.total_tokens, 110);
  });

  check('a conversation that is gone is replaced by a new one', async (home, talk) => {
    await using lost = talk(kind.job(home, [[say('anew')]]));
    const gone = {...recordOf(lost), id: '01a1e195-0000-7000-8000-000000000000', turns: 1};
    assert.deepEqual(await lost.session.start(gone), {resumed: false});
    assert.notEqual(lost.session.threadId, gone.id);
    assert.equal(lost.notes.length, 1);
    assert.equal(await lost.turn('Hello?'), null);
  });

  check('what it uses is known by model', async (home, talk) => {
    const job = kind.job(home, [[{is: 'use', tokens: 70}, say('done')]]);
    await using conversation = talk(job);
    await conversation.session.start(null);
    assert.equal(await conversation.turn('Work.'), null);
    const {is_measured: isMeasured, usage, models} = conversation.progress.measured;
    assert.equal(isMeasured, agent.isMeasured(job));
    if (!isMeasured) return assert.equal(usage.total_tokens, 0);
    assert.equal(usage.total_tokens, 70);
    assert.equal(
      models.reduce((sum, one) => sum + one.usage.total_tokens, 0),
      70,
    );
    const lines = await conversation.transcript();
    assert.ok(
      lines.some(({ev}) => ev === 'usage'),
      'the usage is kept',
    );
  });

  check('a tool of ours is called, and the turn goes on with its result', async (home, talk) => {
    const call: Deed = {is: 'call', tool: LOOK.name, args: {at: 'the moon'}};
    await using conversation = talk(kind.job(home, [[call, say('seen')]]));
    await conversation.session.start(null);
    assert.equal(await conversation.turn('Look.'), null);
    assert.deepEqual(conversation.calls, [[LOOK.name, {at: 'the moon'}]]);
    assert.equal(conversation.told().message, 'seen');
  });

  check('a question ends the turn, and is what it failed by', async (home, talk) => {
    const ask: Deed = {is: 'ask', question: 'Which colour?'};
    await using conversation = talk(kind.job(home, [[ask, {is: 'hang'}]]));
    await conversation.session.start(null);
    const failure = await conversation.turn('Paint it.');
    assert.equal(failure?.failure.code, 'turn_input_required');
    assert.match(failure?.message ?? '', /Which colour\?/);
    const lines = await conversation.transcript();
    assert.ok(
      lines.some(({ev, text}) => ev === 'question' && text === 'Which colour?'),
      'kept',
    );
  });

  check('a turn that fails says why, and the next one can be taken', async (home, talk) => {
    const fail: Deed = {is: 'fail', reason: 'the model is away'};
    await using conversation = talk(kind.job(home, [[fail], [say('back')]]));
    await conversation.session.start(null);
    const failure = await conversation.turn('Work.');
    assert.equal(failure?.failure.code, 'turn_failed');
    assert.match(failure?.message ?? '', /the model is away/);
    assert.equal(await conversation.turn('Again.'), null);
  });

  check('a turn is interrupted, and with the session all of it is gone', async (home, talk) => {
    await using conversation = talk(kind.job(home, [[say('at work'), {is: 'hang'}]]));
    await conversation.session.start(null);
    const turn = conversation.turn('Work.');
    await conversation.hasStarted;
    await conversation.session.interrupt();
    assert.equal((await turn)?.failure.code, 'turn_cancelled');
    await conversation[Symbol.asyncDispose]();
    assert.deepEqual(conversation.leftProcesses(), []);
  });

  check('silence within a turn has a limit', async (home, talk) => {
    const job = {...kind.job(home, [[{is: 'hang'}]]), turn_timeout_ms: 300};
    await using conversation = talk(job);
    await conversation.session.start(null);
    assert.equal((await conversation.turn('Work.'))?.failure.code, 'turn_timeout');
  });

  check('an agent that dies ends its turn', async (home, talk) => {
    await using conversation = talk(kind.job(home, [[{is: 'die'}]]));
    await conversation.session.start(null);
    assert.equal((await conversation.turn('Work.'))?.failure.code, 'port_exit');
  });

  check('one that is missing, or refuses, says so before there is a turn', async (home, talk) => {
    const missing = {...kind.job(home, []), command: 'no-such-agent-here'};
    for (const [job, code] of [
      [missing, 'agent_not_found'],
      [kind.refusing(), 'agent_incompatible'],
    ] as const) {
      await using conversation = talk(job);
      await assert.rejects(conversation.session.start(null), failingBy(code));
      await assert.rejects(probeWith(agent, job, home), failingBy(code));
    }
  });

  check('a probe says version and login, and leaves nothing running', async (home) => {
    const {version, logged_in: isLoggedIn, left} = await probeWith(agent, kind.job(home, []), home);
    assert.match(version ?? '', /^\d/);
    assert.notEqual(isLoggedIn, false);
    assert.deepEqual(left, []);
    const loggedOut = kind.loggedOut();
    if (loggedOut === null) return;
    const answer = await probeWith(agent, loggedOut, home);
    assert.equal(answer.logged_in, false);
    assert.notEqual(answer.howToLogIn, '');
  });
}

type Talk<Job> = (job: Job) => Conversation;

function failingBy(code: string) {
  return (error: unknown) => (error as RunFailure).failure.code === code;
}

function recordOf({session, progress}: Conversation): ThreadRecord {
  const id = session.threadId;
  const usage = progress.meter.ofThread(id);
  return {agent: 'any', id, workspace_path: '/w', usage, prompt_digest: '', turns: 1};
}
