import type {Issue} from '../wire/issue.ts';
import {fencedIssue} from './fence.ts';
import type {PromptVariables} from './variables.ts';

const filled: Issue = {
  id: 'sample-1',
  identifier: 'SAMPLE-1',
  title: 'A sample issue',
  description: 'It has a description\nof two lines.',
  priority: 1,
  state: 'Todo',
  branch_name: 'sample-1-a-sample-issue',
  url: 'https://example.com/issues/SAMPLE-1',
  assignee_id: 'user-1',
  labels: ['first', 'second'],
  blocked_by: [
    {id: 'sample-2', identifier: 'SAMPLE-2', state: 'Done'},
    {id: null, identifier: null, state: null},
  ],
  dispatchable: true,
  // Its form is the provider's own. Below null every name renders as nothing, so none is reported.
  native_ref: null,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
};

const bare: Issue = {
  ...filled,
  description: null,
  priority: null,
  branch_name: null,
  url: null,
  assignee_id: null,
  labels: [],
  blocked_by: [],
  dispatchable: false,
  created_at: null,
  updated_at: null,
};

const first = {attempt: null, retry: null, last_error: null} as const;
const continued = {attempt: 1, retry: 'continuation', last_error: null} as const;
const failed = {attempt: 2, retry: 'failure', last_error: 'a sample error'} as const;

/** Samples of variables that together enter every section once. */
export const SAMPLES: readonly PromptVariables[] = [filled, bare].flatMap((issue) =>
  [first, continued, failed].map((run) => ({
    issue,
    fenced_issue: fencedIssue(issue),
    ...run,
    role: 'worker',
    run: {turn: 1, max_turns: 20},
    workspace: {path: '/workspaces/SAMPLE-1'},
  })),
);
