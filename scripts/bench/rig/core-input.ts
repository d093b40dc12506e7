import type {Issue, Workflow} from '@symphony-supervisor/protocol';

// What the decision core is given where it is measured alone.

export function anIssue(number: number, isBlocked = false): Issue {
  return {
    id: String(number),
    identifier: `B-${number}`,
    title: 'An issue',
    description: 'x'.repeat(400),
    priority: (number % 4) + 1,
    state: 'Todo',
    branch_name: null,
    url: null,
    assignee_id: null,
    labels: ['agent'],
    blocked_by: isBlocked ? [{id: '0', identifier: 'B-0', state: 'Todo'}] : [],
    dispatchable: true,
    native_ref: null,
    created_at: new Date(1_700_000_000_000 + ((number * 7919) % 10_000) * 1000).toISOString(),
    updated_at: null,
  };
}

export function aWorkflow(maxConcurrentAgents: number): Workflow {
  const tracker = {
    ...{kind: 'memory', provider: {}, secrets: {}, secretNames: []},
    ...{activeStates: ['Todo', 'In Progress'], terminalStates: ['Done'], unstartedStates: ['Todo']},
    ...{requiredLabels: ['agent'], excludedLabels: [], inProgressState: null, handoffState: null},
  };
  const agent = {
    ...{maxConcurrentAgents, maxConcurrentAgentsByState: {}, maxTurns: 20, env: []},
    ...{options: {kind: 'codex'}, command: 'codex app-server', model: null},
    ...{
      maxRetryBackoffMs: 300_000,
      maxConsecutiveFailures: 5,
      maxRuns: 30,
      maxTokens: 0,
      maxIdleRuns: 3,
      maxIdleTurns: 2,
    },
  };
  const settings = {
    name: 'bench',
    tracker,
    agent,
    polling: {intervalMs: 30_000},
    codex: {command: 'x'},
  };
  return {path: '', prompt: {template: '', engine: null}, settings} as unknown as Workflow;
}
