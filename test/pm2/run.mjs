// Installs the real pm2 beside this file, once, and runs the tests that need it.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

function run(command, args, cwd) {
  const {status} = spawnSync(command, args, {cwd, stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(here, 'node_modules/pm2'))) {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], here);
}
run(process.execPath, ['scripts/build.mjs'], root);
run(process.execPath, ['scripts/test.mjs', '--suite=pm2', '--limit=600'], root);
