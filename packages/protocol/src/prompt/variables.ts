import type {Issue} from '../wire/issue.ts';
import type {AttemptJob} from '../wire/run-job.ts';
import {fencedIssue} from './fence.ts';

/** Every variable of a template, in snake case as templates spell them. */
export interface PromptVariables {
  readonly issue: Issue;
  /** Identifier, title and description in a block that their text cannot close. */
  readonly fenced_issue: string;
  /** null at the first attempt. */
  readonly attempt: number | null;
  readonly retry: 'continuation' | 'failure' | null;
  readonly last_error: string | null;
  /** Who runs the issue; `worker` is the workflow file itself. */
  readonly role: string;
  readonly run: {readonly turn: number; readonly max_turns: number};
  readonly workspace: {readonly path: string};
}

export function promptVariables(
  job: Pick<AttemptJob, 'issue' | 'attempt' | 'retry' | 'last_error' | 'role' | 'max_turns'>,
  now: {readonly turn: number; readonly workspacePath: string},
): PromptVariables {
  return {
    issue: job.issue,
    fenced_issue: fencedIssue(job.issue),
    attempt: job.attempt,
    retry: job.retry,
    last_error: job.last_error,
    role: job.role,
    run: {turn: now.turn, max_turns: job.max_turns},
    workspace: {path: now.workspacePath},
  };
}
