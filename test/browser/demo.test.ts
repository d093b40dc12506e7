import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import type {Browser} from 'playwright-core';
import {supervisorCommand} from '../rig/supervisor-command.ts';
import {openBrowser, openPage, skip} from './chromium.ts';

const SUPERVISOR = fileURLToPath(
  new URL('../../packages/orchestrator/bin/symphony-supervisor.js', import.meta.url),
);
const EMPTY_HOME = fileURLToPath(new URL('../rig/empty-home', import.meta.url));
const ISSUES = ['DEMO-1', 'DEMO-2', 'DEMO-3', 'DEMO-4', 'DEMO-5', 'DEMO-6'];

let browser: Browser;
before(async () => {
  if (skip === false) browser = await openBrowser();
});
after(() => browser?.close());

test('the demo, from its first issue to its last, and the end of the supervisor', {
  skip,
}, async () => {
  await using demo = new Demo();
  await using opened = await openPage(browser, await demo.link());
  const {page, complaints} = opened;
  // What has succeeded may have left the screen by the time of the next look, but not the list of runs.
  const runs = page.getByRole('region', {name: /^Recent runs/});
  await runs.getByRole('link', {name: /DEMO-4 .*failed/}).waitFor({timeout: 120_000});
  const seen = ISSUES.filter((issue) => issue !== 'DEMO-5');
  for (const issue of seen) {
    await runs.getByRole('link', {name: new RegExp(`${issue} .*succeeded`)}).waitFor();
  }
  await page
    .getByText(/disconnected/i)
    .first()
    .waitFor();
  assert.equal(await demo.exitCode, 0);
  assert.deepEqual(complaints, []);
});

/** As somebody without a terminal would start it: it ends by itself. */
class Demo implements AsyncDisposable {
  readonly #stateDir: Promise<string>;
  readonly exitCode: Promise<number | null>;
  readonly #process = spawn(process.execPath, [SUPERVISOR, 'demo'], {
    env: {...process.env, HOME: EMPTY_HOME},
    stdio: ['ignore', 'pipe', 'inherit'],
  });

  constructor() {
    let output = '';
    this.exitCode = once(this.#process, 'exit').then(([code]) => code);
    this.#stateDir = new Promise((resolve, reject) => {
      this.#process.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const [, stateDir] = /open --state-dir (\S+)/.exec(output) ?? [];
        if (stateDir !== undefined) resolve(stateDir);
      });
      void this.exitCode.then(() => reject(new Error(`it ended: ${output}`)));
    });
  }

  async link(): Promise<string> {
    const args = ['open', '--json', '--state-dir', await this.#stateDir];
    const {stdout} = await supervisorCommand(args, {cwd: '/'});
    return JSON.parse(stdout).url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.exitCode;
  }
}
