import {resolve} from 'node:path';
import type {Complaint} from '@symphony-supervisor/protocol/workflow';
import type {Log} from '../log.ts';

/** Logs the warnings of a workflow file: at startup, and whenever a change of the file changes them. */
export class WorkflowWarnings {
  readonly #log: Log;
  /** By project: a file is read again for other reasons, too. */
  readonly #told = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  tell(project: string, warnings: readonly Complaint[]): void {
    const told = JSON.stringify(warnings.map(({line, column, message}) => [line, column, message]));
    if ((this.#told.get(project) ?? '[]') === told) return;
    this.#told.set(project, told);
    for (const {path, line, column, key, message} of warnings) {
      const place = {path: resolve(path), line, column, ...(key === undefined ? {} : {key})};
      const about = {event: 'workflow.warning', project, ...place, reason: message};
      this.#log('warn', about, 'workflow.warning');
    }
  }
}
