import {existsSync, readdirSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const OWN_RECORDINGS = fileURLToPath(new URL('../recordings/codex', import.meta.url));

/** Name → path of every recording in the folder that `CODEX_TRANSCRIPTS` names, or in our own. */
export function findRecordings(): ReadonlyMap<string, string> {
  const folder = resolve(process.env.CODEX_TRANSCRIPTS ?? OWN_RECORDINGS);
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
    : [];
  if (files.length === 0) {
    throw new Error(
      `there are no recordings (*.jsonl) in ${folder}; CODEX_TRANSCRIPTS can name another folder`,
    );
  }
  return new Map(files.sort().map((file) => [basename(file, '.jsonl'), join(folder, file)]));
}
