import assert from 'node:assert/strict';
import {setTimeout as elapse} from 'node:timers/promises';
import {LOOK} from '../conversation.ts';
import {call, say} from '../deed.ts';
import type {ContractCase} from '../stage.ts';

export const toolCases = {
  'tools.call': {
    rule: 'a tool of ours is called, and the turn goes on with its result',
    play: async ({talk}) => {
      await using conversation = await talk([[call(LOOK.name, {at: 'the moon'}), say('seen')]]);
      await conversation.session.start(null);
      assert.equal(await conversation.turn('Look.'), null);
      assert.deepEqual(conversation.calls, [[LOOK.name, {at: 'the moon'}]]);
      assert.equal(conversation.told().message, 'seen');
      const tool = (await conversation.transcript()).findLast(({ev}) => ev === 'tool');
      assert.equal(tool?.ok, true, 'kept');
    },
  },
  'tools.failed': {
    rule: 'a tool that fails is reported as failed, and the turn goes on',
    play: async ({talk}) => {
      await using conversation = await talk([[call(LOOK.name), say('in the dark')]], {
        callTool: async () => ({success: false, content: {error: 'too dark'}, wrote: false}),
      });
      await conversation.session.start(null);
      assert.equal(await conversation.turn('Look.'), null);
      assert.equal(conversation.calls.length, 1);
      assert.equal(conversation.told().message, 'in the dark');
      const tool = (await conversation.transcript()).findLast(({ev}) => ev === 'tool');
      assert.equal(tool?.ok, false, 'kept');
      assert.match(String(tool?.result), /too dark/);
    },
  },
  'tools.unknown': {
    rule: 'a tool that we do not have is never called, and the turn goes on',
    play: async ({talk}) => {
      await using conversation = await talk([[call('no_such_tool'), say('without it, then')]]);
      await conversation.session.start(null);
      assert.equal(await conversation.turn('Use it.'), null);
      assert.deepEqual(conversation.calls, []);
      assert.equal(conversation.told().message, 'without it, then');
    },
  },
  'tools.slow': {
    rule: 'while a tool of ours runs, the silence is not the agent’s',
    play: async ({talk, silenceMs}) => {
      await using conversation = await talk([[call(LOOK.name), say('at last')]], {
        turnTimeoutMs: silenceMs,
        callTool: async () => {
          await elapse(2 * silenceMs);
          return {success: true, content: 'a view', wrote: false};
        },
      });
      await conversation.session.start(null);
      assert.equal(await conversation.turn('Look.'), null);
      assert.equal(conversation.told().message, 'at last');
    },
  },
} satisfies Record<string, ContractCase>;
