import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {type AttemptJob, SUBMIT_WORK} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import type {PuppetTurn} from '@symphony-supervisor/scripts/puppet-turn';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {type HostRules, RunnerRig} from '../rig/runner.ts';

type Turn = (turn: PuppetTurn) => Promise<unknown>;

const looks: Turn = (turn) => turn.runs('ls');
const edits: Turn = (turn) => turn.runs('date +%N >> work');
const comments: Turn = (turn) => turn.callsTool('comment', {});

/** Takes these turns, and as many of the last kind as the runner asks for. */
async function run(
  turns: readonly Turn[],
  job: Partial<Omit<AttemptJob, 'agent'>>,
  rules: HostRules = {},
) {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const attempt = anAttempt(folder.path, {
    ...{agent: {command: puppet.command}, max_turns: 6, max_idle_turns: 2},
    ...job,
  });
  const readIssue = () => ({issue: anIssue(), go_on: true});
  await using runner = new RunnerRig(attempt, {readIssue, ...rules});
  const inputs: string[] = [];
  const taking = (async () => {
    for (;;) {
      const turn = await puppet.nextTurn();
      await (turns[inputs.length] ?? turns.at(-1))?.(turn);
      inputs.push(turn.input);
      await turn.completes();
    }
  })().catch(() => {}); // ended with the puppet
  const result = await runner.result();
  await puppet[Symbol.asyncDispose]();
  await taking;
  const transcript = await readFile(attempt.transcript_path, 'utf8');
  return {...result, inputs, transcript};
}

const HANDED_OFF = {tools: [SUBMIT_WORK]};

test('two turns in a row that change nothing end the run', async () => {
  const {outcome, turns} = await run([looks], {});
  assert.deepEqual([outcome, turns], ['succeeded', 2]);
});

test('a turn that changes something starts the count anew', async () => {
  const {outcome, turns} = await run([looks, edits, looks], {});
  assert.deepEqual([outcome, turns], ['succeeded', 4]);
});

test('a write by a tool is a change, as is a change of the issue', async () => {
  const tools = [{name: 'comment', description: '', input_schema: {}}];
  const callTool = () => ({success: true, content: 'done', wrote: true});
  const written = await run([comments, looks], {tools}, {callTool});
  assert.deepEqual([written.outcome, written.turns], ['succeeded', 3]);

  const readIssue = (times: number) => ({
    issue: anIssue({labels: times === 1 ? ['seen'] : []}),
    go_on: true,
  });
  const moved = await run([looks], {}, {readIssue});
  assert.equal(moved.turns, 4);
});

test('where the issue is handed off, one idle turn after a changing one is enough', async () => {
  const {outcome, turns} = await run([edits, looks], HANDED_OFF);
  assert.deepEqual([outcome, turns], ['succeeded', 2]);
  const idle = await run([looks], HANDED_OFF);
  assert.deepEqual([idle.outcome, idle.turns], ['succeeded', 2]);
});

test('0 is no limit', async () => {
  const {outcome, turns} = await run([looks], {max_idle_turns: 0, ...HANDED_OFF});
  assert.deepEqual([outcome, turns], ['succeeded', 6]);
});

test('submit_work ends the run after its turn, and its summary is on record', async () => {
  const submits: Turn = async (turn) => {
    await edits(turn);
    const refused = await turn.callsTool('submit_work', {summary: ' '});
    assert.match(JSON.stringify(refused), /not submitted: summary/);
    const taken = await turn.callsTool('submit_work', {summary: 'It says hello now.'});
    assert.match(JSON.stringify(taken), /End your turn/);
  };
  const {outcome, turns, inputs, transcript} = await run([submits], HANDED_OFF);
  assert.deepEqual([outcome, turns], ['succeeded', 1]);
  assert.match(inputs[0] ?? '', /call the tool `submit_work`/);
  assert.match(transcript, /"work_submitted".*It says hello now\./);
});

test('without a handoff nothing is said of submit_work, and the tool does not exist', async () => {
  const submits: Turn = async (turn) => {
    const answer = await turn.callsTool('submit_work', {summary: 'Done.'});
    assert.match(JSON.stringify(answer), /there is no tool called submit_work/);
  };
  const {inputs, turns} = await run([submits], {});
  assert.equal(turns, 2);
  assert.doesNotMatch(inputs.join(), /submit_work/);
});
