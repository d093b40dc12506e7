// The suite against the real Codex.
//   node test/real-codex/run.mjs [--record] [file.test.ts …]
// `--record` keeps the transcripts of the runs, scrubbed, in test/recordings/codex.
import {readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {runSuite, testFilesIn} from '../rig/real-suite.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const recordings = fileURLToPath(new URL('../recordings/codex', import.meta.url));

const records = process.argv.includes('--record');
const files = testFilesIn(here);
const isWhole =
  files.length === readdirSync(here).filter((name) => name.endsWith('.test.ts')).length;
if (records && isWhole) forgetRecordings();
runSuite(here, files, records ? {SYMPHONY_RECORD: '1'} : {});

function forgetRecordings() {
  for (const name of readdirSync(recordings)) {
    if (name.endsWith('.jsonl')) rmSync(join(recordings, name));
  }
}
