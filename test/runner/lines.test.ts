import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

const MEGABYTE = 1024 * 1024;

test('a line of 10 MB is taken', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  const item = {type: 'agentMessage', id: 'big', text: ''};
  const line = (text: string) =>
    JSON.stringify({method: 'item/completed', params: {item: {...item, text}}});
  const padding = 10 * MEGABYTE - line('').length - 3;
  await turn.sends(line(`end${'x'.repeat(padding)}`));
  await runner.heard('agent', ({progress}) => progress.message?.startsWith('endxxx') ?? false);
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
});

test('a line of 100 MB is refused, the memory does not grow with it, and the turn goes on', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  const before = await peakMemory(runner.pid);
  await turn.performs({huge: 100 * MEGABYTE});
  const {progress} = await runner.heard('agent', (report) => report.progress.event === 'malformed');
  assert.match(progress.message ?? '', /a line of 1048\d+ bytes, which is too long/);
  const grown = (await peakMemory(runner.pid)) - before;
  assert.ok(grown < 50 * MEGABYTE, `the peak grew by ${Math.round(grown / MEGABYTE)} MB`);
  await turn.says('still here');
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
});

test('blank lines between messages are nothing to speak of', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder.path, {agent: {command: puppet.command}});
  await using runner = new RunnerRig(job);
  const turn = await puppet.nextTurn();
  for (const blank of ['', '  ', '\t\r']) await turn.sends(blank);
  await turn.says('still here');
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
  const transcript = await readFile(job.transcript_path, 'utf8');
  assert.match(transcript, /still here/);
  assert.doesNotMatch(transcript, /"ev":"malformed"/);
});

test('the last words of an agent that dies are kept, though their line has no end', async () => {
  await using folder = await aFolder();
  const agent = fileURLToPath(new URL('cut-off-agent.bash', import.meta.url));
  const job = anAttempt(folder.path, {agent: {command: `bash '${agent}'`}});
  await using runner = new RunnerRig(job);
  assert.equal((await runner.result()).failure?.code, 'port_exit');
  assert.match(await readFile(job.transcript_path, 'utf8'), /firstsecond/);
});

/** The most it ever had in memory, in bytes. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
