import {existsSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join, resolve} from 'node:path';
import type {RunJob} from '@symphony-supervisor/protocol';
import {codexBinary} from '../binary/codex-binary.ts';
import {rawLines} from './raw-lines.ts';
import {scrubRecording} from './scrub-recording.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const RECORDINGS = join(REPOSITORY, 'test', 'recordings', 'codex');

/** Keeps what the runs of a test wrote down, one after the other, if recordings are being made. */
export async function record(
  testName: string,
  jobs: readonly RunJob[],
  {folder, home}: {readonly folder: string; readonly home: {readonly path: string}},
): Promise<void> {
  if (process.env.SYMPHONY_RECORD !== '1') return;
  // A probe holds no conversation that could be played again, nor does a run that failed to start.
  const attempts = jobs.filter(
    ({kind, transcript_path}) => kind === 'attempt' && existsSync(transcript_path),
  );
  if (attempts.length === 0) return;
  const transcripts = await Promise.all(
    attempts.map(({transcript_path}) => readFile(transcript_path, 'utf8')),
  );
  const scrubbed = scrubRecording(rawLines(transcripts.join('')), {
    paths: {
      [folder]: '/folder',
      [home.path]: '/codex-home',
      [codexBinary()]: '/bin/codex',
      [REPOSITORY]: '/repository',
    },
    hostName: hostname(),
    keys: [],
  });
  await mkdir(RECORDINGS, {recursive: true});
  await writeFile(join(RECORDINGS, `${slug(testName)}.jsonl`), scrubbed);
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
