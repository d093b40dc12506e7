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

test('issues travel to their end before one’s eyes, without a reload', {skip}, async () => {
  await using watched = await Watched.start(['T-1', 'T-2'], {agent: {max_concurrent_agents: 1}});
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await page.evaluate(() => Object.assign(globalThis, {isTheSamePage: true}));
  const running = page.getByRole('region', {name: /^Running/});
  for (let nth = 1; nth <= 2; nth++) {
    const turn = await watched.puppet.nextTurn();
    const identifier = /T-\d/.exec(turn.input)?.[0] ?? '';
    await turn.says(`I look at ${identifier}`);
    await running.getByText(`I look at ${identifier}`).waitFor();
    if (nth === 1)
      await page
        .getByRole('region', {name: /^Waiting/})
        .getByRole('link', {name: /T-2/})
        .waitFor();
    await turn.callsTool('update_issue', {state: 'Done'});
    await turn.completes();
    const runs = page.getByRole('region', {name: /^Recent runs/});
    await runs.getByRole('link', {name: new RegExp(`${identifier} succeeded`)}).waitFor();
  }
  await running.getByText('No agent is running.').waitFor();
  assert.equal(await page.evaluate('isTheSamePage'), true);
  assert.match(await page.title(), /0 running/);
  assert.deepEqual(complaints, []);
});

test('an issue’s page follows its agent: words, commands, changes, tools, prompt', {
  skip,
}, async () => {
  await using watched = await Watched.start(['T-1']);
  const turn = await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await page.getByRole('link', {name: /T-1/}).click();
  const transcript = page.getByRole('region', {name: 'Transcript', exact: true});
  await turn.says('first words');
  await transcript.getByText('first words').waitFor();
  await turn.runs('echo out; exit 3');
  await transcript.getByText('exit 3', {exact: true}).waitFor();
  assert.equal(await transcript.getByText('out', {exact: true}).isVisible(), false);
  await transcript.getByText('echo out; exit 3').click();
  await transcript.getByText('out', {exact: true}).waitFor();
  await turn.edits('notes.md', 'a new line\n');
  await transcript.getByText('+a new line').waitFor();
  await turn.callsTool('update_issue', {state: 'Done'});
  await transcript.getByText('update_issue').waitFor();
  await page.getByRole('heading', {name: 'Prompt as sent'}).waitFor();
  await turn.completes();
  await page.getByText('done', {exact: true}).waitFor();
  await page.getByRole('complementary').getByText('succeeded').waitFor();
  assert.deepEqual(complaints, []);
});

test('a stop is confirmed, and its effect is seen; a retry carries a message to the agent', {
  skip,
}, async () => {
  await using watched = await Watched.start(['T-1']);
  await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await page.getByRole('button', {name: 'Stop T-1'}).click();
  await page.getByRole('dialog').getByRole('button', {name: 'Cancel'}).click();
  await page.getByRole('button', {name: 'Stop T-1'}).click();
  await page.getByRole('dialog').getByRole('button', {name: 'Stop the run'}).click();
  const held = page.getByRole('region', {name: /^Needs input/});
  await held.getByText('T-1').first().waitFor();
  await held.getByRole('button', {name: 'Retry…'}).click();
  await page.getByRole('dialog').getByRole('textbox').fill('look into the attic');
  await page.getByRole('dialog').getByRole('button', {name: 'Retry now'}).click();
  const next = await watched.puppet.nextTurn();
  assert.match(next.input, /look into the attic/);
  await held.waitFor({state: 'detached'});
  assert.deepEqual(complaints, []);
});

test('a question of the agent is answered where it stands', {skip}, async () => {
  await using watched = await Watched.start(['T-1']);
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  const turn = await watched.puppet.nextTurn();
  void turn.asksInput('Which colour?', ['red', 'blue']).catch(() => {});
  await page
    .getByRole('region', {name: /^Needs input/})
    .getByText('Which colour?')
    .waitFor();
  await page.getByRole('textbox', {name: 'Answer for T-1'}).fill('green');
  await page.getByRole('button', {name: 'Answer and retry'}).click();
  assert.match((await watched.puppet.nextTurn()).input, /green/);
  assert.deepEqual(complaints, []);
});

test('a supervisor that goes away is told, and so is its return', {skip}, async () => {
  await using watched = await Watched.start(['T-1']);
  const before = await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await page.getByText('live', {exact: true}).waitFor();
  await watched.end();
  await page.getByText(/Disconnected from the supervisor/).waitFor();
  await page.getByRole('status').filter({hasText: 'disconnected'}).waitFor();
  await page.getByRole('link', {name: /T-1/}).waitFor(); // what was known stays
  await watched.begin();
  await page.getByText(/Connected again after/).waitFor();
  await page.getByText('live', {exact: true}).waitFor();
  const after = await watched.puppet.nextTurn();
  assert.equal(after.threadId, before.threadId);
  await after.says('here again');
  await page.getByText('here again').waitFor();
  assert.deepEqual(complaints, []);
});

test('a long transcript is shown from its end, and earlier parts on request', {skip}, async () => {
  await using watched = await Watched.start(['T-1']);
  const turn = await watched.puppet.nextTurn();
  await turn.notifies('warning', {message: 'the very first'});
  // One line that is longer than what is loaded at a time.
  await turn.notifies('warning', {message: 'long '.repeat(300_000)});
  for (let nth = 1; nth <= 250; nth++) await turn.notifies('warning', {message: `nth ${nth}.`});
  await turn.says('the end of it');
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await page.getByText('the end of it').first().waitFor();
  await page.getByRole('link', {name: /T-1/}).click();
  const transcript = page.getByRole('region', {name: 'Transcript', exact: true});
  await transcript.getByText('the end of it').waitFor();
  assert.equal(await transcript.getByText('nth 1.', {exact: true}).count(), 0);
  assert.ok((await transcript.getByRole('listitem').count()) <= 200);
  const earlier = page.getByRole('button', {name: 'Load earlier'});
  await earlier.click();
  await transcript.getByText('nth 1.', {exact: true}).waitFor();
  await transcript.getByText('the very first').waitFor();
  await earlier.waitFor({state: 'detached'});
  assert.deepEqual(complaints, []);
});
