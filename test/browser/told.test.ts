import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import type {Browser} from 'playwright-core';
import {openBrowser, openPage, skip} from './chromium.ts';
import {Watched} from './watched.ts';

let browser: Browser;
before(async () => {
  if (skip === false) browser = await openBrowser();
});
after(() => browser?.close());

test('a transcript tells hooks, thoughts, plans, questions and what the agent prints', {
  skip,
}, async () => {
  const hooks = {after_create: 'echo made', before_run: 'true'};
  await using watched = await Watched.start(['T-1'], {hooks});
  const turn = await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await page.getByRole('link', {name: /T-1/}).click();
  const transcript = page.getByRole('region', {name: 'Transcript', exact: true});
  await transcript.getByText('after_create', {exact: true}).click();
  await transcript.getByText('made', {exact: true}).waitFor();
  await transcript.getByText('before_run', {exact: true}).waitFor();
  await turn.thinks('a quiet thought');
  await transcript.getByText('a quiet thought').waitFor();
  const plan = [
    {step: 'look', status: 'completed'},
    {step: 'change', status: 'inProgress'},
    {step: 'test', status: 'pending'},
  ];
  await turn.notifies('turn/plan/updated', {plan, explanation: 'in three steps'});
  await transcript.getByText('in three steps').waitFor();
  await transcript.getByText('change (in progress)').waitFor();
  await turn.performs({stderr: 'words on stderr'});
  await transcript.getByText('words on stderr').first().waitFor();
  void turn.asksInput('Which colour?', ['red', 'blue']).catch(() => {});
  await transcript.getByText('The agent asks').waitFor();
  await transcript.getByText('red · blue').waitFor();
  const held = page.getByRole('region', {name: 'Why it is held'});
  await held.getByText('Which colour?').waitFor();
  await held.getByRole('textbox', {name: 'Answer for T-1'}).waitFor();
  assert.deepEqual(complaints, []);
});

test('runs tell their agent and model, and of a turn that was cut off the last figures seen', {
  skip,
}, async () => {
  await using watched = await Watched.start(['T-1'], {agent: {model: 'm-1'}});
  const turn = await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await turn.performs({usage: 12_345});
  const row = page.getByRole('listitem').filter({hasText: 'T-1'});
  await row.getByText('codex m-1', {exact: true}).waitFor();
  await row.getByText('12.3k', {exact: true}).waitFor();
  await page.getByRole('link', {name: /T-1/}).click();
  const attempts = page.getByRole('region', {name: 'Attempts', exact: true});
  await attempts.getByText(/turn 1 · codex m-1 · 12\.3k tok/).waitFor();
  void turn.performs({exit: 3}).catch(() => {});
  await attempts.getByText(/1 turn · codex m-1 · ≥ 12\.3k tok/).waitFor();
  await page.getByRole('region', {name: 'Totals'}).getByText('≥ 12.3k', {exact: true}).waitFor();
  assert.deepEqual(complaints, []);
});

test('how far the agent’s account is used up, and when that ends', {skip}, async () => {
  await using watched = await Watched.start(['T-1']);
  const turn = await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  const resetsAt = Math.round(Date.now() / 1000) + 3600;
  const primary = {usedPercent: 95, windowDurationMins: 300, resetsAt};
  const secondary = {usedPercent: 12, windowDurationMins: null, resetsAt: null};
  const rateLimits = {limitId: 'codex', primary, secondary};
  await turn.notifies('account/rateLimits/updated', {rateLimits});
  const limits = page.getByRole('region', {name: 'Agent rate limits'});
  await limits.getByText('5h window', {exact: true}).waitFor();
  await limits.getByText(/95 %\s+· resets in/).waitFor();
  await limits.getByText('window 2', {exact: true}).waitFor();
  await page
    .getByRole('list', {name: 'Needs attention'})
    .getByText(/resets in/)
    .waitFor();
  assert.deepEqual(complaints, []);
});

test('an issue’s page tells when it is due again, and of one that nobody knows', {
  skip,
}, async () => {
  await using watched = await Watched.start(['T-1']);
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await page.getByText('live', {exact: true}).waitFor();
  await page.evaluate("location.hash = '#/issue/p/T-1'");
  await (await watched.puppet.nextTurn()).fails('out of luck');
  await page.getByText(/^Due in .*: .*out of luck/).waitFor();
  await page.evaluate("location.hash = '#/issue/p/T-9'");
  await page.getByRole('heading', {level: 1, name: 'T-9'}).waitFor();
  await page.getByText('no issue with this identifier is claimed or on record').waitFor();
  assert.deepEqual(complaints, []);
});
