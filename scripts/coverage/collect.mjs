// Runs all that tells something about lines, and lets V8 note what is executed: Node does so in every process
// that ends by itself, and test/browser for the dashboard. What is killed notes nothing, nor does the tracker
// thread, which has no environment; its code is also tested outside of it.
import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, process.argv[2] ?? 'coverage/v8');

rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
// Fuzzing and kills in their short form.
for (const suite of [[], ['--suite=fuzz'], ['--suite=kills'], ['--suite=browser']]) {
  const {status} = spawnSync(process.execPath, ['scripts/test.mjs', '--limit=600', ...suite], {
    cwd: root,
    env: {...process.env, NODE_V8_COVERAGE: folder},
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
