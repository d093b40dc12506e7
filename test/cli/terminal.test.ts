import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aProject} from '../rig/supervisor.ts';
import {skip, TerminalRig} from '../rig/terminal.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

test('init asks what it needs to know', {skip}, async () => {
  await using folder = await aFolder();
  await using terminal = new TerminalRig(['init'], {cwd: folder.path});
  await terminal.shows('Where are your issues: file, linear, github? [file] ');
  terminal.types('github\n');
  await terminal.shows('Which project (owner/repository)? [fill in later] ');
  terminal.types('me/mine\n');
  await terminal.shows('Which repository should workspaces be cloned from? [none] ');
  terminal.types('\n');
  assert.equal(await terminal.exitCode, 0);
  const text = await readFile(join(folder.path, 'WORKFLOW.md'), 'utf8');
  assert.match(text, /kind: github/);
  assert.match(text, /me\/mine/);
  assert.doesNotMatch(text, /^ +git clone/m);
});

test('init asks again where an answer cannot be used', {skip}, async () => {
  await using folder = await aFolder();
  await using terminal = new TerminalRig(['init'], {cwd: folder.path});
  await terminal.shows('[file] ');
  terminal.types('paper\n');
  await terminal.shows('there is no tracker "paper"; give file or linear or github');
  terminal.types('github\n');
  await terminal.shows('[fill in later] ');
  terminal.types('only-a-name\n');
  await terminal.shows('"only-a-name" is not a repository; give owner/repository');
  terminal.types('me/mine\n');
  await terminal.shows('[none] ');
  terminal.types('me/mine\n');
  await terminal.shows('did you mean git@github.com:me/mine.git?');
  terminal.types('\n');
  assert.equal(await terminal.exitCode, 0);
  assert.equal(existsSync(join(folder.path, 'WORKFLOW.md')), true);
});

test('init is ended at any question, and writes nothing', {skip}, async () => {
  for (const [typed, answers] of [
    [CTRL_C, []],
    [CTRL_D, ['github\n']],
  ] as const) {
    await using folder = await aFolder();
    await using terminal = new TerminalRig(['init'], {cwd: folder.path});
    await terminal.shows('[file] ');
    for (const answer of answers) terminal.types(answer);
    if (answers.length > 0) await terminal.shows('[fill in later] ');
    terminal.types(typed);
    assert.equal(await terminal.exitCode, 1);
    assert.match(terminal.shown, /nothing was written/);
    assert.doesNotMatch(terminal.shown, /unexpected/);
    assert.deepEqual(await readdir(folder.path), []);
  }
});

test('on a terminal everything is seen at once, warnings too, until Ctrl-C', {skip}, async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using terminal = new TerminalRig([], {cwd: folder.path});
  const turn = await puppet.nextTurn();
  await turn.says('I begin');
  await terminal.shows('I begin');
  void turn.asksInput('Which colour?').catch(() => {});
  await terminal.shows('claim.held: T-1: turn_input_required');
  terminal.types(CTRL_C);
  assert.equal(await terminal.exitCode, 0);
});

test('the demo waits for its audience, and goes when it is told to', {skip}, async () => {
  await using folder = await aFolder();
  const env = {TMPDIR: folder.path, HOME: folder.path};
  await using terminal = new TerminalRig(['demo'], {cwd: folder.path, env});
  await terminal.shows(/All issues but one are done\. [\s\S]*retry DEMO-5 -m/);
  terminal.types(CTRL_C);
  assert.equal(await terminal.exitCode, 0);
  assert.deepEqual(await readdir(folder.path), []);
});
