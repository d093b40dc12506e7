import {isUtf8} from 'node:buffer';
import {realpath} from 'node:fs/promises';
import {dirname, isAbsolute, relative, resolve, sep} from 'node:path';
import {readRegularFile} from '../regular-file.ts';

/** A file that a role names as its prompt. */
export interface PromptFile {
  readonly path: string;
  /** Adds an error at the key that names the file. */
  readonly report: (problem: string) => void;
  readonly supply: (text: string) => void;
}

/** Far larger than any prompt. */
const MAX_PROMPT_BYTES = 256 * 1024;

/** Reads the prompts of roles. A file that several roles name is read for each: it is small. */
export async function readPromptFiles(
  workflowPath: string,
  files: readonly PromptFile[],
): Promise<void> {
  for (const {path, report, supply} of files) {
    const read = await readPrompt(dirname(resolve(workflowPath)), path);
    if (read.ok) supply(read.text);
    else report(read.problem);
  }
}

type Reading = {readonly ok: true; readonly text: string} | {readonly ok: false; problem: string};

/** Whatever the workflow file names becomes what an agent is told, so only its own folder is read. */
async function readPrompt(folder: string, path: string): Promise<Reading> {
  if (!isInside(folder, path)) return refused(OUTSIDE);
  try {
    // Links are followed, but not out of the folder.
    const target = await realpath(path);
    if (!isInside(await realpath(folder), target)) return refused(OUTSIDE);
    const bytes = await readRegularFile(target, MAX_PROMPT_BYTES);
    if (!isUtf8(bytes)) return refused('is not a text in UTF-8');
    const text = bytes
      .toString()
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n');
    return text.trim() === '' ? refused('is empty; write the prompt into it') : {ok: true, text};
  } catch (error) {
    return refused(problemOf(error));
  }
}

const OUTSIDE = "is outside the workflow file's folder; name a file in it or below it";

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refused(problem: string): Reading {
  return {ok: false, problem};
}

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES') return 'cannot be read: permission denied';
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
