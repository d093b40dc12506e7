import {ActionView, IssueView} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {EXIT, type ExitCode} from '../exit.ts';
import {cut, moment, printJson, table} from '../table.ts';
import type {HistoryOptions} from './client-commands.ts';
import {Control} from './control.ts';
import {issuePath} from './orders.ts';

const ActionList = z.object({actions: z.array(ActionView)});
const MESSAGE = 80;

export async function actions(issue: string | null, options: HistoryOptions): Promise<ExitCode> {
  const control = Control.reach(options);
  const answer =
    issue === null
      ? await control.get(`/api/v1/actions?limit=${options.limit}`, ActionList)
      : await control.get(
          issuePath(issue, '', options.project),
          z.pick(IssueView, {actions: true}),
        );
  const shown = answer.actions.slice(0, options.limit);
  if (options.json) printJson(shown);
  else if (shown.length === 0) console.log('no orders yet');
  else console.log(table(HEAD, shown.map(rowOf)));
  return EXIT.fine;
}

const HEAD = ['AT', 'BY', 'ORDER', 'PROJECT', 'ISSUE', 'MESSAGE'];

function rowOf({at, by, command, project, issue_identifier, message}: ActionView): string[] {
  const about = [project ?? 'all', issue_identifier ?? '–'];
  return [moment(at), by, command, ...about, cut(message ?? '', MESSAGE)];
}
