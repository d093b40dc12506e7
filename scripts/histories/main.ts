// Proves that a change of the core changes nothing that it decides: `record` in a checkout of the commit
// before it, `compare` in the one with the change. Recordings are large and are not committed.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {compare} from './compare.ts';
import {core} from './core.ts';
import {explain, recordedCore} from './explain.ts';
import {recordHistories} from './record.ts';
import {readRecording, writeRecording} from './recording.ts';
import {NO_RENAMES, parseRenames} from './renames.ts';

const USAGE = `npm run histories -- record <file> [--count 10000] [--seed 1]
npm run histories -- compare <file> [--renames <file.json>]`;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    count: {type: 'string', default: '10000'},
    seed: {type: 'string', default: '1'},
    renames: {type: 'string'},
  },
});
const [command, file] = positionals;
if (file === undefined || (command !== 'record' && command !== 'compare')) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (command === 'record') {
  await writeRecording(file, recordHistories(Number(values.count), Number(values.seed), ROOT));
} else {
  const renames =
    values.renames === undefined ? NO_RENAMES : parseRenames(readFileSync(values.renames, 'utf8'));
  const {histories, events, differing, first} = await compare(readRecording(file), core, renames);
  console.log(`${histories} histories, ${events} events, ${differing} differences`);
  if (first !== null) {
    console.log(explain(first, await recordedCore(first.folder), core, renames));
    process.exitCode = 1;
  }
}
