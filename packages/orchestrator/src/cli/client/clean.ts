import {createInterface} from 'node:readline/promises';
import {type KeptRow, Snapshot} from '@symphony-supervisor/protocol';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {question} from '../question.ts';
import {plain} from '../table.ts';
import type {CleanOptions} from './client-commands.ts';
import {Control} from './control.ts';
import {orderIssue} from './orders.ts';

/**
 * A kept workspace has the only copy of its work: it is removed after a confirmation, or with
 * `--yes`.
 */
export async function clean(issue: string, options: CleanOptions): Promise<ExitCode> {
  if (!options.yes && !(await isAgreed(issue, options))) {
    console.error('nothing was removed');
    return EXIT.unexpected;
  }
  return orderIssue('clean', issue, options);
}

async function isAgreed(issue: string, options: CleanOptions): Promise<boolean> {
  if (!process.stdin.isTTY) {
    const remedy = 'it asks for confirmation on a terminal; elsewhere give --yes';
    throw new ExitWith(
      EXIT.usage,
      `clean removes the only copy of the work in a workspace\n${remedy}`,
    );
  }
  const {kept} = await Control.reach(options).get('/api/v1/state', Snapshot);
  const rows = kept.filter(
    (row) =>
      row.issue_identifier === issue &&
      (options.project === undefined || row.project === options.project),
  );
  for (const row of rows) console.error(lineOf(row));
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  try {
    const answer = await question(terminal, 'Remove it? There is no other copy. [y/N] ');
    if (answer === null) console.error(); // the cursor is still behind the question
    return answer !== null && /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

function lineOf({issue_identifier, workspace_path, reason}: KeptRow): string {
  return plain(`${issue_identifier}: ${workspace_path}: ${reason}`);
}
