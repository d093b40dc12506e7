import {IssueView, RunView} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {agentWords, roleWords, tokens} from '../../view/words.ts';
import {EXIT, type ExitCode} from '../exit.ts';
import {cut, moment, printJson, span, table} from '../table.ts';
import type {HistoryOptions} from './client-commands.ts';
import {Control} from './control.ts';
import {issuePath} from './orders.ts';

const RunList = z.object({runs: z.array(RunView)});

export async function history(issue: string | null, options: HistoryOptions): Promise<ExitCode> {
  const control = Control.reach(options);
  const {runs} =
    issue === null
      ? await control.get(`/api/v1/runs?limit=${options.limit}`, RunList)
      : await control.get(issuePath(issue, '', options.project), z.pick(IssueView, {runs: true}));
  const shown = runs.slice(0, options.limit);
  if (options.json) printJson(shown);
  else if (shown.length === 0) console.log('no runs yet');
  else console.log(table(HEAD, shown.map(rowOf)));
  return EXIT.fine;
}

const HEAD = [
  'STARTED',
  'ISSUE',
  'ROLE',
  'ATTEMPT',
  'OUTCOME',
  'FAILURE',
  'AGENT',
  'TURNS',
  'TOKENS',
  'TOOK',
  'RUN',
  'RESULT',
  'TITLE',
];

/** `2 commits +14 −3 on agent/ABC-1 (1a2b3c4)`, and the links that hooks reported. */
function resultOf({made, links}: RunView): string {
  const parts = links.map(({name, url}) => `${name}=${url}`);
  if (made !== null && made.commits + made.files > 0) {
    const commits = `${made.commits} ${made.commits === 1 ? 'commit' : 'commits'}`;
    const where = [made.branch, made.head?.slice(0, 7)].filter((part) => part != null).join(' ');
    parts.unshift(`${commits} +${made.lines_added} -${made.lines_removed} ${where}`);
  }
  return parts.join(' ');
}

function rowOf(run: RunView): string[] {
  return [
    moment(run.started_at),
    run.issue_identifier,
    roleWords(run),
    String(run.attempt ?? '–'),
    run.outcome,
    run.failure ?? '',
    agentWords(run),
    String(run.turns),
    tokens(run, String),
    span(run.duration_ms),
    run.run_id,
    resultOf(run),
    cut(run.issue_title ?? '', 60),
  ];
}
