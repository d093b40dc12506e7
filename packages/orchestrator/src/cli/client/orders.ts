import * as z from 'zod/mini';
import {EXIT, type ExitCode} from '../exit.ts';
import {plain, printJson} from '../table.ts';
import type {ProjectOptions, RetryOptions} from './client-commands.ts';
import {Control} from './control.ts';

type IssueCommand = 'stop' | 'retry' | 'restart' | 'dismiss' | 'clean';
type ProjectCommand = 'pause' | 'resume' | 'refresh';

/** The answer differs by order; `--json` prints it unchanged. */
const Taken = z.looseObject({});

const FOLLOWS: Readonly<Record<IssueCommand | ProjectCommand, string>> = {
  stop: 'is stopping, and will be held',
  retry: 'is due now',
  restart: 'starts over: its run, conversation and counters are dropped',
  dismiss: 'is dismissed until it changes in the tracker or is retried',
  clean: 'is being cleaned: its kept workspace is removed',
  pause: 'no new runs are started; current runs continue',
  resume: 'new runs are started again',
  refresh: 'the tracker is being polled',
};

export async function orderIssue(
  command: IssueCommand,
  issue: string,
  options: RetryOptions,
): Promise<ExitCode> {
  const path = issuePath(issue, `/${command}`, options.project);
  const body = options.message === undefined ? {} : {message: options.message};
  const taken = await Control.reach(options).post(path, body, Taken);
  if (options.json) printJson(taken);
  else console.log(`${plain(issue)} ${FOLLOWS[command]}`);
  return EXIT.fine;
}

export async function direct(command: ProjectCommand, options: ProjectOptions): Promise<ExitCode> {
  const body = options.project === undefined ? {} : {project: options.project};
  const taken = await Control.reach(options).post(`/api/v1/${command}`, body, Taken);
  if (options.json) printJson(taken);
  else console.log(FOLLOWS[command]);
  return EXIT.fine;
}

export function issuePath(issue: string, below: string, project: string | undefined): string {
  const query = project === undefined ? '' : `?project=${encodeURIComponent(project)}`;
  return `/api/v1/issues/${encodeURIComponent(issue)}${below}${query}`;
}
