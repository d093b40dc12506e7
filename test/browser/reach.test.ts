import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import type {Browser} from 'playwright-core';
import {barriers, openBrowser, openPage, skip} from './chromium.ts';
import {Watched} from './watched.ts';

let browser: Browser;
before(async () => {
  if (skip === false) browser = await openBrowser();
});
after(() => browser?.close());

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [
    {name: 'a desk', viewport: {width: 1440, height: 900}},
    {name: 'a phone', viewport: {width: 390, height: 844}},
  ].map(({name, viewport}) => ({name: `${name}, ${colorScheme}`, look: {colorScheme, viewport}})),
);

/** One of each: running, held with a question, waiting, ended. */
async function aBusyOne(): Promise<Watched> {
  const watched = await Watched.start(['T-1', 'T-2', 'T-3', 'T-4'], {
    agent: {max_concurrent_agents: 1},
  });
  const first = await watched.puppet.nextTurn();
  await first.callsTool('update_issue', {state: 'Done'});
  await first.completes();
  const second = await watched.puppet.nextTurn();
  void second.asksInput('Which `colour`?').catch(() => {});
  const third = await watched.puppet.nextTurn();
  await third.says('working');
  await third.runs('echo out; exit 1');
  await third.edits('notes.md', 'a\nb\n');
  return watched;
}

test('nothing is in anybody’s way: light and dark, desk and phone', {skip}, async (t) => {
  await using watched = await aBusyOne();
  for (const {name, look} of LOOKS) {
    await t.test(name, async () => {
      await using opened = await openPage(browser, watched.link, look);
      const {page, complaints} = opened;
      await page.getByText('Which').first().waitFor();
      await page
        .getByRole('region', {name: /^Recent runs/})
        .getByRole('link')
        .first()
        .waitFor();
      assert.deepEqual(await barriers(page), [], 'overview');
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await barriers(page), [], 'shortcuts');
      await page.getByRole('button', {name: 'Close'}).click();
      await page
        .getByRole('region', {name: /^Running/})
        .getByRole('link')
        .click();
      await page.getByText('exit 1', {exact: true}).waitFor();
      assert.deepEqual(await barriers(page), [], 'issue');
      await page.getByRole('button', {name: 'Restart…'}).click();
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await barriers(page), [], 'asked');
      const isTooWide = 'document.documentElement.scrollWidth > innerWidth';
      assert.equal(await page.evaluate(isTooWide), false);
      assert.deepEqual(complaints, []);
    });
  }
});

test('everything can be done by keyboard alone', {skip}, async () => {
  await using watched = await Watched.start(['T-1']);
  await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  await page.getByRole('link', {name: /T-1/}).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {level: 1, name: /T-1/}).waitFor();
  await page.keyboard.press('s');
  await page.getByRole('dialog').waitFor();
  for (const label of ['Cancel', 'Stop the run']) {
    const isFocused = () => page.evaluate('document.activeElement?.textContent?.trim()');
    if ((await isFocused()) !== label) await page.keyboard.press('Tab');
    assert.equal(await isFocused(), label);
  }
  await page.keyboard.press('Enter');
  await page.getByText('held', {exact: true}).waitFor();
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await page.keyboard.press('o');
  await page.getByRole('region', {name: /^Needs input/}).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('nothing like it');
  await page.getByRole('region', {name: /^Needs input/}).waitFor({state: 'detached'});
  assert.deepEqual(complaints, []);
});

test('pause, resume and refresh by keyboard, and the theme stays over a reload', {
  skip,
}, async () => {
  await using watched = await Watched.start([]);
  await using opened = await openPage(browser, watched.link, {
    colorScheme: 'light',
    isBehind: true,
  });
  const {page, complaints, reload} = opened;
  await page.getByText('No agent is running.').waitFor();
  await page.keyboard.press('p');
  await page.getByRole('dialog').getByRole('button', {name: 'Pause'}).press('Enter');
  await page.getByText('Current runs continue; no new run is started.').waitFor();
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await page.keyboard.press('p');
  await page.getByRole('dialog').getByRole('button', {name: 'Resume'}).press('Enter');
  await page
    .getByText('Current runs continue; no new run is started.')
    .waitFor({state: 'detached'});
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await page.keyboard.press('r');
  await page.getByText('The tracker is being polled').waitFor();
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.keyboard.press('t');
  await page.keyboard.press('t');
  await page.getByRole('button', {name: 'Theme: dark. Change'}).waitFor();
  const dark = await ground();
  assert.notEqual(dark, light);
  await reload();
  await page.getByText('No agent is running.').waitFor();
  assert.equal(await ground(), dark);
  assert.deepEqual(complaints, []);
});
