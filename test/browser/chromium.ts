import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {AxeResults} from 'axe-core';
import {type Browser, chromium, type Page} from 'playwright-core';
import {measured} from './page-coverage.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const executablePath = process.env['CHROMIUM'] || PLACES.find((path) => existsSync(path));

/** Why there can be no test in a browser here; false if there can. */
export const skip =
  executablePath === undefined ? 'no Chromium is installed (CHROMIUM names one)' : false;

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('there is no browser');
  return chromium.launch({executablePath});
}

export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: {readonly width: number; readonly height: number};
  /** A tab behind others is given no frames to draw in: what waits for one comes late. */
  readonly isBehind?: boolean;
}

/** A page of its own, and what went wrong in it. */
export async function openPage(browser: Browser, url: string, look: Look = {}) {
  const {isBehind = false, ...shown} = look;
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...shown});
  const page = await context.newPage();
  if (isBehind) await page.addInitScript('globalThis.requestAnimationFrame = () => 0');
  let endMeasuring = await measured(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A line that was cut is told by the browser itself; that the page copes is what is tested.
    const isOfNetwork = /net::ERR_|Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !isOfNetwork) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  /** What ran on the page before would be forgotten with it. */
  const reload = async () => {
    await endMeasuring();
    endMeasuring = await measured(page);
    await page.reload();
  };
  const close = async () => {
    await endMeasuring();
    await context.close();
  };
  return {page, complaints, reload, [Symbol.asyncDispose]: close};
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a person with a screen reader, or weak eyes, would stumble over. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE); // by the debugger: the page's own rules let no foreign script in
  const results = (await page.evaluate('axe.run()')) as AxeResults;
  return results.violations.map(
    ({id, nodes}) => `${id}: ${nodes.map(({html}) => html.slice(0, 160)).join(' | ')}`,
  );
}
