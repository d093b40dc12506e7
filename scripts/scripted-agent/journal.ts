import {appendFileSync} from 'node:fs';
import type {Host} from './host.ts';
import type {Report} from './puppet/control-line.ts';

/** One line of the journal: which process of which run, when, and what happened. */
export type JournalLine = {
  readonly at: number;
  readonly pid: number;
  readonly parent: number;
  readonly cwd: string;
  readonly run: string;
  readonly attempt: string;
} & Report;

/** Keeps what this agent hears, and its turns, in a file that outlives it and that others share. */
export function keepJournal(path: string, host: Host, env: NodeJS.ProcessEnv): void {
  const self = {
    pid: process.pid,
    parent: process.ppid,
    cwd: process.cwd(),
    run: env.SYMPHONY_RUN_ID ?? '',
    attempt: env.SYMPHONY_ATTEMPT ?? '',
  };
  const {report: tell} = host;
  host.report = (report) => {
    // At once and in one piece: the next moment may be the last one.
    const line: JournalLine = {at: Date.now(), ...self, ...report};
    appendFileSync(path, `${JSON.stringify(line)}\n`);
    tell(report);
  };
}
