import {isUtf8} from 'node:buffer';
import {readFile, stat} from 'node:fs/promises';
import type {WorkflowContext} from './context.ts';
import {
  beginParsing,
  MAX_WORKFLOW_BYTES,
  tooLarge,
  unreadable,
  type WorkflowReading,
} from './parse.ts';
import {readPromptFiles} from './prompt-file.ts';
import {checkSecretFiles} from './secrets/secret-file.ts';

export async function readWorkflow(
  path: string,
  context: WorkflowContext,
): Promise<WorkflowReading> {
  let bytes: Buffer;
  try {
    const stats = await stat(path);
    // A pipe or a device would keep us waiting for its end.
    if (!stats.isFile()) return missing(path, 'it is not a file');
    if (stats.size > MAX_WORKFLOW_BYTES) return tooLarge(path);
    bytes = await readFile(path);
  } catch (error) {
    return missing(path, reasonOf(error));
  }
  if (!isUtf8(bytes)) {
    return unreadable('workflow_parse_error', path, 'the file is not UTF-8 text');
  }
  const parsing = beginParsing(bytes.toString(), {...context, path});
  await checkSecretFiles(parsing.secretFiles);
  await readPromptFiles(path, parsing.promptFiles);
  return parsing.conclude();
}

function missing(path: string, reason: string): WorkflowReading {
  const message = `the workflow file cannot be read: ${reason}`;
  return unreadable('missing_workflow_file', path, message);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES') return 'permission denied';
  return error instanceof Error ? error.message : String(error);
}
