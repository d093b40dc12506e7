import type {Issue} from '@symphony-supervisor/protocol';

export function anIssue(fields: Partial<Issue> = {}): Issue {
  return {
    id: 'id-1',
    identifier: 'ABC-1',
    title: 'Add a greeting',
    description: 'Make hello.txt say hello.',
    priority: null,
    state: 'In Progress',
    branch_name: null,
    url: null,
    assignee_id: null,
    labels: [],
    blocked_by: [],
    dispatchable: true,
    native_ref: null,
    created_at: null,
    updated_at: null,
    ...fields,
  };
}
