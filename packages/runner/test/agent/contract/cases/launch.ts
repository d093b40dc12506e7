import assert from 'node:assert/strict';
import {say} from '../deed.ts';
import {type ContractCase, failingBy} from '../stage.ts';

export const launchCases = {
  'launch.first-turn': {
    rule: 'a turn is taken, and what was said is reported and kept',
    play: async ({talk}) => {
      await using conversation = await talk([[say('good morning')]]);
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
    },
  },
  'launch.missing': {
    rule: 'a command that does not exist is reported before the first turn',
    play: async ({talkTo, probe}) => {
      await using conversation = await talkTo('missing');
      await assert.rejects(conversation.session.start(null), failingBy('agent_not_found'));
      await assert.rejects(probe('missing'), failingBy('agent_not_found'));
    },
  },
  'launch.refusing': {
    rule: 'an agent that refuses to work with us is reported before the first turn',
    play: async ({talkTo}) => {
      await using conversation = await talkTo('refusing');
      await assert.rejects(conversation.session.start(null), failingBy('agent_incompatible'));
    },
  },
  'launch.probe-refused': {
    rule: 'a probe of an agent that refuses to work with us tells it',
    play: async ({probe}) => {
      await assert.rejects(probe('refusing'), failingBy('agent_incompatible'));
    },
  },
  'launch.probe': {
    rule: 'a probe tells the version and the login, and leaves nothing running',
    play: async ({probe}) => {
      const {version, logged_in: isLoggedIn, left} = await probe('usual');
      assert.match(version ?? '', /^\d/);
      assert.notEqual(isLoggedIn, false);
      assert.deepEqual(left, []);
    },
  },
  'launch.logged-out': {
    rule: 'a probe tells that no one is logged in, and what to do about it',
    play: async ({probe}) => {
      const {logged_in: isLoggedIn, howToLogIn} = await probe('logged-out');
      assert.equal(isLoggedIn, false);
      assert.notEqual(howToLogIn, '');
    },
  },
} satisfies Record<string, ContractCase>;
