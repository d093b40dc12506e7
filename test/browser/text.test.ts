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

const IMAGE = `<img src=x onerror="alert('title')">`;
const LINK = 'javascript:alert(1) [click](javascript:alert(2)) https://example.com/ok';

test('a hostile title and a hostile message stay text', {skip}, async () => {
  await using watched = await Watched.start([]);
  await watched.addIssue('T-1', `${IMAGE}<script>alert(3)</script>`, 'Todo');
  const turn = await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.link);
  const {page, complaints} = opened;
  const said = `${IMAGE} ${LINK} <a href="javascript:alert(4)">x</a>`;
  await turn.says(said);
  await page.getByText(`${IMAGE}<script>alert(3)</script>`).waitFor();
  await page.getByRole('link', {name: /T-1/}).click();
  const transcript = page.getByRole('region', {name: 'Transcript', exact: true});
  await transcript.getByText(IMAGE).first().waitFor();
  await turn.runs(`echo '${IMAGE.replaceAll("'", '')}'`);
  await transcript.getByText('exit 0', {exact: true}).waitFor();
  assert.equal(await page.locator('img, #app script').count(), 0);
  const links = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
  assert.ok(links.includes('https://example.com/ok'));
  assert.deepEqual(
    links.filter((href) => !/^(#\/|https?:\/\/)/.test(href)),
    [],
  );
  const rel = await page.locator('a[href="https://example.com/ok"]').first().getAttribute('rel');
  assert.match(rel ?? '', /noopener/);
  assert.deepEqual(complaints, []);
});

test('the page needs nothing but the supervisor, and no script or style within it', {
  skip,
}, async () => {
  await using watched = await Watched.start([]);
  await using opened = await openPage(browser, 'about:blank');
  const {page, complaints} = opened;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(watched.link);
  await page.getByText('No agent is running.').waitFor();
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(watched.url)),
    [],
  );
  const html = await (await fetch(watched.url)).text();
  assert.doesNotMatch(html, /<style|style=|<script(?![^>]*src=)|onload=/);
  assert.deepEqual(complaints, []);
});
