import assert from 'node:assert/strict';
import {hang, run, say} from '../deed.ts';
import type {ContractCase} from '../stage.ts';
import {killAgent, made} from '../the-end.ts';

export const endCases = {
  'end.interrupt': {
    rule: 'a turn is interrupted, and with the session all of it is gone',
    play: async ({talk}) => {
      await using conversation = await talk([[say('at work'), hang]]);
      await conversation.session.start(null);
      const turn = conversation.turn('Work.');
      await conversation.hasStarted;
      await conversation.session.interrupt();
      assert.equal((await turn)?.failure.code, 'turn_cancelled');
      await conversation[Symbol.asyncDispose]();
      assert.deepEqual(conversation.leftProcesses(), []);
    },
  },
  'end.interrupt-command': {
    rule: 'a turn is interrupted while a command runs, and the command is gone, too',
    play: async ({talk, workspace}) => {
      await using conversation = await talk([[run('touch begun; sleep 3000'), say('never')]]);
      await conversation.session.start(null);
      const turn = conversation.turn('Work.');
      await made(workspace, 'begun');
      await conversation.session.interrupt();
      assert.equal((await turn)?.failure.code, 'turn_cancelled');
      await conversation[Symbol.asyncDispose]();
      assert.deepEqual(conversation.leftProcesses(), []);
    },
  },
  'end.background-child': {
    rule: 'what a command left in the background, in a session of its own, ends with the agent',
    play: async ({talk, workspace}) => {
      const leave = 'setsid sh -c "touch begun; exec sleep 3000" > /dev/null 2>&1 < /dev/null &';
      await using conversation = await talk([[run(leave), say('left something'), hang]]);
      await conversation.session.start(null);
      const turn = conversation.turn('Work.');
      await made(workspace, 'begun');
      assert.ok(conversation.leftProcesses().length > 1, 'the agent and what it left');
      await conversation[Symbol.asyncDispose]();
      await turn;
      assert.deepEqual(conversation.leftProcesses(), []);
    },
  },
  'end.agent-dies': {
    rule: 'an agent that dies ends its turn, and what it started ends with the run',
    play: async ({talk, workspace}) => {
      await using conversation = await talk([[run('touch begun; sleep 3000'), say('never')]]);
      await conversation.session.start(null);
      await killAgent(conversation, 'Work.', () => made(workspace, 'begun'));
      await conversation[Symbol.asyncDispose]();
      assert.deepEqual(conversation.leftProcesses(), []);
    },
  },
} satisfies Record<string, ContractCase>;
