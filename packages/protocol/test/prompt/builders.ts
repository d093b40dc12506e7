import assert from 'node:assert/strict';
import {type PromptVariables, promptVariables, renderPrompt} from '../../src/prompt/index.ts';
import type {PromptEngine} from '../../src/settings.ts';
import {type Failure, RunFailure} from '../../src/wire/failure.ts';
import type {Issue} from '../../src/wire/issue.ts';

export function anIssue(fields: Partial<Issue> = {}): Issue {
  return {
    id: 'id-1',
    identifier: 'ABC-1',
    title: 'Fix the door',
    description: 'It squeaks.',
    priority: 2,
    state: 'In Progress',
    branch_name: null,
    url: null,
    assignee_id: null,
    labels: ['bug', 'urgent'],
    blocked_by: [
      {id: 'id-2', identifier: 'ABC-2', state: 'Done'},
      {id: null, identifier: null, state: null},
    ],
    dispatchable: true,
    native_ref: {number: 7, nested: {key: 'value'}},
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: null,
    ...fields,
  };
}

export function variables(
  issue: Partial<Issue> = {},
  job: Partial<Pick<PromptVariables, 'attempt' | 'retry' | 'last_error'>> = {},
): PromptVariables {
  return promptVariables(
    {
      ...{issue: anIssue(issue), attempt: null, retry: null, last_error: null},
      ...{role: 'worker', max_turns: 20, ...job},
    },
    {turn: 1, workspacePath: '/workspaces/ABC-1'},
  );
}

export function rendered(
  template: string,
  engine: PromptEngine | null = null,
  values: PromptVariables = variables(),
): Promise<string> {
  return renderPrompt({template, engine}, values);
}

/** The failure that rendering ends in. */
export async function failureOf(
  template: string,
  engine: PromptEngine | null = null,
): Promise<Failure> {
  const error = await rendered(template, engine).then(
    (text) => assert.fail(`rendered: ${text}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RunFailure, String(error));
  return error.failure;
}
