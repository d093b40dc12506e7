import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer, type IncomingHttpHeaders} from 'node:http';
import type {AddressInfo} from 'node:net';
import {after, before, test} from 'node:test';
import type {Browser} from 'playwright-core';
import {openBrowser, openPage, skip} from './chromium.ts';
import {Watched} from './watched.ts';

let browser: Browser;
before(async () => {
  if (skip === false) browser = await openBrowser();
});
after(() => browser?.close());

test('a browser that is not signed in is told how, and signs in with a pasted link', {
  skip,
}, async () => {
  await using watched = await Watched.start(['T-1'], {}, '0.0.0.0');
  await watched.puppet.nextTurn();
  await using opened = await openPage(browser, watched.url, {isBehind: true});
  const {page, complaints} = opened;
  await page.getByRole('heading', {name: 'This browser is not signed in'}).waitFor();
  await page.getByText('symphony-supervisor open').first().waitFor();
  assert.equal(await page.getByText('T-1').count(), 0);
  const submit = page.getByRole('button', {name: 'Sign in'});
  assert.equal(await submit.isDisabled(), true);
  const field = page.getByLabel('Or paste the link here');
  await field.fill('not a link');
  await submit.click();
  await page.getByRole('alert').getByText('this is not a link').waitFor();
  await field.fill(watched.link);
  await submit.click();
  await page.getByRole('link', {name: /T-1/}).waitFor();
  assert.deepEqual(complaints, []);
});

test('a link works once; the browser stays signed in over reloads and restarts', {
  skip,
}, async () => {
  await using watched = await Watched.start([]);
  const {link} = watched;
  await using opened = await openPage(browser, link);
  const {page, complaints, reload} = opened;
  await page.getByText('No agent is running.').waitFor();
  assert.doesNotMatch(page.url(), /login/, 'the code is still in the address bar');
  await watched.end();
  await watched.begin();
  await reload();
  await page.getByText('No agent is running.').waitFor();
  await page.keyboard.press('p');
  await page.getByRole('dialog').getByRole('button', {name: 'Pause'}).click();
  await page.getByText('Current runs continue; no new run is started.').waitFor();
  assert.deepEqual(complaints, []);

  await using second = await openPage(browser, link);
  await second.page.getByRole('heading', {name: 'This browser is not signed in'}).waitFor();
});

test('a link that was used is refused while the supervisor still knows it', {skip}, async () => {
  await using watched = await Watched.start([]);
  const {link} = watched;
  await using first = await openPage(browser, link);
  await first.page.getByText('No agent is running.').waitFor();
  await using second = await openPage(browser, watched.url);
  await second.page.getByLabel('Or paste the link here').fill(link);
  await second.page.getByRole('button', {name: 'Sign in'}).click();
  await second.page.getByRole('alert').getByText('this link was used or has expired').waitFor();
});

test('a server on another port of the host gets the cookie, and can do nothing with it', {
  skip,
}, async () => {
  await using watched = await Watched.start([]);
  await using opened = await openPage(browser, watched.link);
  const {page} = opened;
  await page.getByText('No agent is running.').waitFor();

  let seen: IncomingHttpHeaders = {};
  const other = createServer((request, response) => {
    if (request.url === '/') seen = request.headers;
    response.setHeader('content-type', 'text/html').end('<title>other</title>');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  using _closed = {[Symbol.dispose]: () => void other.close()};
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  const {cookie} = seen;
  assert.match(cookie ?? '', /^symphony_[0-9a-f]{12}=/, 'cookies are shared between ports');
  assert.deepEqual(await page.evaluate('Object.keys(localStorage)'), []);
  assert.equal(await page.evaluate('document.cookie'), '', 'the cookie is HttpOnly');

  const origin = new URL(watched.url).origin;
  for (const headers of [{cookie}, {cookie, origin}, {cookie, 'x-symphony-page-key': 'guess'}]) {
    const given = headers as Record<string, string>;
    const read = await fetch(`${watched.url}api/v1/state`, {headers: given});
    assert.equal(read.status, 401);
    const order = await fetch(`${watched.url}api/v1/pause`, {method: 'POST', headers: given});
    assert.equal(order.status, 401);
  }
});
