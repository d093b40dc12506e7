import {join} from 'node:path';
import type {ResultLink} from '@symphony-supervisor/protocol';
import {orNull, readRegularText, removeFile, writeFile} from '../processes/files.ts';
import type {Layout} from '../workspace/layout.ts';

const MOST_BYTES = 64 * 1024;
const MOST_LINKS = 20;
const LONGEST_URL = 2000;
const LINE = /^([\w .-]{1,40})=(https?:\/\/\S+)$/;

/** The file in which hooks report results (`$SYMPHONY_OUTPUT`): outside the agent's `TMPDIR`, deleted with the run. */
export async function outputFile(
  layout: Layout,
  runId: string,
): Promise<AsyncDisposable & {path: string}> {
  const path = join(layout.tmp, `${runId}.output`);
  await writeFile(path, '', 0o600);
  return {path, [Symbol.asyncDispose]: () => removeFile(path).catch(() => {})};
}

/** Only a few links: the content of the file is displayed, and never acted upon. */
export async function readLinks(path: string): Promise<ResultLink[]> {
  const links = new Map<string, string>();
  // A file that is too large, not regular or missing has no results.
  const content = (await orNull(readRegularText(path, MOST_BYTES))) ?? '';
  for (const line of content.split('\n')) {
    const [, name, url] = LINE.exec(line.trim()) ?? [];
    if (name === undefined || url === undefined || url.length > LONGEST_URL) continue;
    if (URL.canParse(url) && (links.has(name) || links.size < MOST_LINKS)) links.set(name, url);
  }
  return [...links].map(([name, url]) => ({name, url}));
}
