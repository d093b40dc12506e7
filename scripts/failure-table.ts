import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {FAILURES} from '@symphony-supervisor/protocol';

// Keeps the table of failures in docs/runner.md in step with the code. `--check` only compares.

const path = fileURLToPath(new URL('../docs/runner.md', import.meta.url));
const [BEGIN, END] = [/<!-- failures:begin.*-->\n/, '<!-- failures:end -->'];

const HEAD = '\n| failure | policy | meaning |\n|---|---|---|\n';

const text = readFileSync(path, 'utf8');
const rows = Object.entries(FAILURES).map(
  ([code, [policy, meaning]]) => `| \`${code}\` | ${policy} | ${meaning} |\n`,
);
const begin = BEGIN.exec(text);
if (begin === null || !text.includes(END)) throw new Error(`${path} has lost its markers`);
const fresh =
  text.slice(0, begin.index + begin[0].length) +
  HEAD +
  `${rows.join('')}\n` +
  text.slice(text.indexOf(END));

if (!process.argv.includes('--check')) writeFileSync(path, fresh);
else if (fresh !== text) {
  console.error(`${path} is stale: run \`npm run generate\``);
  process.exitCode = 1;
}
