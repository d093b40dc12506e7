import assert from 'node:assert/strict';
import {stat} from 'node:fs/promises';
import {hang, say} from '../deed.ts';
import type {ContractCase} from '../stage.ts';
import {TRANSCRIPT_MAX_BYTES} from '../surroundings.ts';

const FLOOD = 50_000;
/** Beyond what a line may have. */
const HUGE_BYTES = 40_000_000;
/** As often as the runner reports. */
const REPORT_INTERVAL_MS = 250;
/** Beginnings and ends of turns are reported at once. */
const MILESTONES = 10;
const ONE_LINE = 300;

export const streamCases = {
  'stream.silence': {
    rule: 'silence within a turn has a limit',
    play: async ({talk, silenceMs}) => {
      await using conversation = await talk([[hang]], {turnTimeoutMs: silenceMs});
      await conversation.session.start(null);
      assert.equal((await conversation.turn('Work.'))?.failure.code, 'turn_timeout');
    },
  },
  'stream.flood': {
    rule: 'a flood of messages makes few reports and a transcript within its limit',
    play: async ({talk}) => {
      await using conversation = await talk([[{is: 'flood', messages: FLOOD}], [say('dry again')]]);
      await conversation.session.start(null);
      const beganAt = performance.now();
      assert.equal(await conversation.turn('Work.'), null);
      const intervals = (performance.now() - beganAt) / REPORT_INTERVAL_MS;
      assert.ok(conversation.reports() <= intervals + MILESTONES, `${conversation.reports()}`);
      assert.ok(
        conversation.told().messages >= FLOOD,
        `${conversation.told().messages} were heard`,
      );
      assert.ok((conversation.told().message?.length ?? 0) <= ONE_LINE);
      assert.equal(await conversation.turn('Go on.'), null);
      assert.equal(conversation.told().message, 'dry again');
      const {transcript, transcriptPath} = conversation.surroundings;
      transcript.close();
      assert.ok((await stat(transcriptPath)).size <= TRANSCRIPT_MAX_BYTES);
    },
  },
  'stream.garbage': {
    rule: 'lines that are no messages are noted, and the turn goes on',
    play: async ({talk}) => {
      await using conversation = await talk([[{is: 'garbage'}, say('sorry')]]);
      await conversation.session.start(null);
      assert.equal(await conversation.turn('Work.'), null);
      assert.equal(conversation.told().message, 'sorry');
      const lines = await conversation.transcript();
      assert.ok(
        lines.some(({ev}) => ev === 'malformed'),
        'noted',
      );
    },
  },
  'stream.huge-line': {
    rule: 'a line that is too long to be read is noted, and the turn goes on',
    play: async ({talk}) => {
      await using conversation = await talk([[{is: 'huge', bytes: HUGE_BYTES}, say('sorry')]]);
      await conversation.session.start(null);
      assert.equal(await conversation.turn('Work.'), null);
      assert.equal(conversation.told().message, 'sorry');
      const noted = (await conversation.transcript()).find(({ev}) => ev === 'malformed');
      assert.ok(Number(noted?.bytes) >= HUGE_BYTES / 2, 'with its length');
    },
  },
} satisfies Record<string, ContractCase>;
