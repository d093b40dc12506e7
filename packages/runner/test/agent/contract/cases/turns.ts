import assert from 'node:assert/strict';
import {fail, say} from '../deed.ts';
import type {ContractCase} from '../stage.ts';

const FIRST = 'Paint the shed, and then the fence.';
const SECOND = 'Go on with what is left.';

export const turnCases = {
  'turns.two': {
    rule: 'further turns are turns of the same conversation and process',
    play: async ({talk}) => {
      await using conversation = await talk([[say('one')], [say('two')]]);
      await conversation.session.start(null);
      const {threadId} = conversation.session;
      for (const said of ['one', 'two']) {
        assert.equal(await conversation.turn('Go on.'), null);
        assert.equal(conversation.told().message, said);
      }
      assert.equal(conversation.session.threadId, threadId);
      assert.equal(new Set(conversation.started).size, 2, 'turns have ids of their own');
      assert.equal(conversation.processes.length, 1);
    },
  },
  'turns.guidance-only': {
    rule: 'a further turn is given its own text alone',
    play: async ({talk}) => {
      await using conversation = await talk([[say('one')], [say('two')]]);
      await conversation.session.start(null);
      assert.equal(await conversation.turn(FIRST), null);
      assert.equal(await conversation.turn(SECOND), null);
      const sent = (await conversation.transcript())
        .filter(({dir}) => dir === '->')
        .map((line) => JSON.stringify(line));
      assert.equal(sent.filter((line) => line.includes(FIRST)).length, 1);
      assert.equal(sent.filter((line) => line.includes(SECOND)).length, 1);
      assert.ok(sent.every((line) => !(line.includes(FIRST) && line.includes(SECOND))));
    },
  },
  'turns.after-failure': {
    rule: 'a turn that fails says why, and the next one can be taken',
    play: async ({talk}) => {
      await using conversation = await talk([
        [fail('bad-request-400', 'the model is away')],
        [say('back')],
      ]);
      await conversation.session.start(null);
      const failure = await conversation.turn('Work.');
      assert.equal(failure?.failure.code, 'turn_failed');
      assert.match(failure?.message ?? '', /the model is away/);
      assert.equal(await conversation.turn('Again.'), null);
      assert.equal(conversation.told().message, 'back');
    },
  },
} satisfies Record<string, ContractCase>;
