import assert from 'node:assert/strict';
import {run, say} from '../deed.ts';
import type {ContractCase} from '../stage.ts';
import {killAgent, made} from '../the-end.ts';

export const tokenCases = {
  'tokens.by-model': {
    rule: 'what it uses is exact after each turn, and known by model; or it says that it does not measure',
    play: async ({talk, isMeasured}) => {
      await using conversation = await talk([[say('one', 70)], [say('two', 7)]]);
      await conversation.session.start(null);
      assert.equal(await conversation.turn('Work.'), null);
      const {is_measured: measures, usage} = conversation.progress.measured;
      assert.equal(measures, await isMeasured());
      if (!measures) return assert.equal(usage.total_tokens, 0);
      assert.equal(usage.total_tokens, 70);
      assert.equal(await conversation.turn('Go on.'), null);
      const {is_partial: isPartial, usage: both, models} = conversation.progress.measured;
      assert.equal(both.total_tokens, 77);
      assert.equal(isPartial, undefined, 'both turns have ended with a report');
      assert.equal(
        models.reduce((sum, one) => sum + one.usage.total_tokens, 0),
        77,
      );
      assert.ok(
        models.every(({model}) => model !== null),
        'the model has a name',
      );
      const lines = await conversation.transcript();
      assert.ok(
        lines.some(({ev}) => ev === 'usage'),
        'kept',
      );
    },
  },
  'tokens.resumed': {
    rule: 'nothing of a resumed conversation is counted twice',
    play: async ({talk, isMeasured}) => {
      await using first = await talk([[say('one', 100)]]);
      await first.session.start(null);
      assert.equal(await first.turn('Begin.'), null);
      const recorded = first.record();
      await first[Symbol.asyncDispose]();
      await using second = await talk([[say('two', 10)]]);
      await second.session.start(recorded);
      assert.equal(await second.turn('Go on.'), null);
      if (!(await isMeasured())) return assert.equal(second.progress.meter.run.total_tokens, 0);
      assert.equal(recorded.usage.total_tokens, 100);
      assert.equal(second.progress.meter.run.total_tokens, 10);
      assert.equal(second.record().usage.total_tokens, 110);
    },
  },
  'tokens.killed-turn': {
    rule: 'of a killed turn the last figures seen are kept and marked as partial, and no later turn counts them again',
    play: async ({talk, isMeasured, workspace}) => {
      const work = run('touch begun; sleep 3000');
      await using first = await talk([[say('one', 100)], [work, say('never', 1000)]]);
      await first.session.start(null);
      assert.equal(await first.turn('Begin.'), null);
      await killAgent(first, 'Go on.', () => made(workspace, 'begun'));
      const {is_partial: isPartial, usage} = first.progress.measured;
      if (!(await isMeasured())) return assert.equal(isPartial, undefined);
      assert.equal(isPartial, true);
      assert.equal(usage.total_tokens, 100);
      const recorded = first.record();
      await first[Symbol.asyncDispose]();
      await using second = await talk([[say('two', 10)]]);
      await second.session.start(recorded);
      assert.equal(await second.turn('Go on after that.'), null);
      assert.equal(second.progress.measured.usage.total_tokens, 10);
      assert.equal(second.progress.measured.is_partial, undefined);
    },
  },
} satisfies Record<string, ContractCase>;
