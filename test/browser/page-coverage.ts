import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Page} from 'playwright-core';

const APP = new URL('../../packages/orchestrator/dist/dashboard/app.js', import.meta.url).href;

/**
 * Where Node writes which of its code was executed, the page's is written as well, in the same form and
 * under the name of the bundle. Returns what is to be called before the page is closed.
 */
export async function measured(page: Page): Promise<() => Promise<void>> {
  const folder = process.env.NODE_V8_COVERAGE;
  if (folder === undefined || folder === '') return async () => {};
  await page.coverage.startJSCoverage({resetOnNavigation: false});
  return async () => {
    const scripts = await page.coverage.stopJSCoverage();
    const result = scripts
      .filter(({url}) => new URL(url).pathname === '/app.js')
      .map(({functions}) => ({url: APP, functions}));
    const name = `page-${process.pid}-${crypto.randomUUID()}.json`;
    await writeFile(join(folder, name), JSON.stringify({result}));
  };
}
