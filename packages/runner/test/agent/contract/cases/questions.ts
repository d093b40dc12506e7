import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {ask, asksToRun, hang, say} from '../deed.ts';
import type {ContractCase} from '../stage.ts';

export const questionCases = {
  'questions.permission': {
    rule: 'a command that wants a permission is not run; the turn ends with the question',
    play: async ({talk, workspace}) => {
      await using conversation = await talk([[asksToRun('touch made'), hang]]);
      await conversation.session.start(null);
      const failure = await conversation.turn('Make it.');
      assert.equal(failure?.failure.code, 'turn_input_required');
      assert.match(failure?.message ?? '', /touch made/);
      assert.equal(existsSync(join(workspace, 'made')), false);
      const lines = await conversation.transcript();
      assert.ok(
        lines.some(({ev, text}) => ev === 'question' && /touch made/.test(String(text))),
        'kept',
      );
    },
  },
  'questions.held': {
    rule: 'a question ends the turn, and is what it failed by',
    play: async ({talk}) => {
      await using conversation = await talk([[ask('Which colour?'), hang]]);
      await conversation.session.start(null);
      const failure = await conversation.turn('Paint it.');
      assert.equal(failure?.failure.code, 'turn_input_required');
      assert.match(failure?.message ?? '', /Which colour\?/);
      const lines = await conversation.transcript();
      assert.ok(
        lines.some(({ev, text}) => ev === 'question' && text === 'Which colour?'),
        'kept',
      );
    },
  },
  'questions.answered': {
    rule: 'the answer is given by a turn of a later process, in the same conversation',
    play: async ({talk}) => {
      await using first = await talk([[ask('Which colour?'), hang]]);
      await first.session.start(null);
      const failure = await first.turn('Paint it.');
      assert.equal(failure?.failure.code, 'turn_input_required');
      const recorded = first.record();
      await first[Symbol.asyncDispose]();
      await using second = await talk([[say('blue it is')]]);
      assert.deepEqual(await second.session.start(recorded), {resumed: true});
      assert.equal(await second.turn('Blue.'), null);
      assert.equal(second.told().message, 'blue it is');
    },
  },
} satisfies Record<string, ContractCase>;
