import assert from 'node:assert/strict';
import {run, say} from '../deed.ts';
import type {ContractCase} from '../stage.ts';
import {killAgent, made} from '../the-end.ts';

export const resumeCases = {
  'resume.clean-end': {
    rule: 'a new process goes on with a conversation whose process has ended in order',
    play: async ({talk}) => {
      await using first = await talk([[say('begun')]]);
      await first.session.start(null);
      assert.equal(await first.turn('Begin.'), null);
      const recorded = first.record();
      await first[Symbol.asyncDispose]();
      await using second = await talk([[say('gone on')]]);
      assert.deepEqual(await second.session.start(recorded), {resumed: true});
      assert.equal(second.session.threadId, recorded.id);
      assert.equal(await second.turn('Go on.'), null);
      assert.equal(second.told().message, 'gone on');
      assert.deepEqual(second.notes, []);
    },
  },
  'resume.sigkill': {
    rule: 'a new process goes on with a conversation whose process was killed in a turn',
    play: async ({talk, workspace}) => {
      const work = run('touch begun; sleep 3000');
      await using first = await talk([[say('begun')], [work, say('never')]]);
      await first.session.start(null);
      assert.equal(await first.turn('Begin.'), null);
      const recorded = first.record();
      await killAgent(first, 'Go on.', () => made(workspace, 'begun'));
      await first[Symbol.asyncDispose]();
      await using second = await talk([[say('gone on')]]);
      assert.deepEqual(await second.session.start(recorded), {resumed: true});
      assert.equal(second.session.threadId, recorded.id);
      // Another text: a killed agent may have lost the prompt of its last turn, and a stub tells turns by their prompts.
      assert.equal(await second.turn('Go on after that.'), null);
      assert.equal(second.told().message, 'gone on');
    },
  },
  'resume.gone': {
    rule: 'a conversation that is gone is replaced by a new one',
    play: async ({talk}) => {
      await using lost = await talk([[say('anew')]]);
      const gone = {...lost.record(), id: '01a1e195-0000-7000-8000-000000000000'};
      assert.deepEqual(await lost.session.start(gone), {resumed: false});
      assert.notEqual(lost.session.threadId, gone.id);
      assert.equal(lost.notes.length, 1);
      assert.equal(await lost.turn('Hello?'), null);
    },
  },
} satisfies Record<string, ContractCase>;
