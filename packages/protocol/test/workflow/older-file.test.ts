import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseWorkflow} from '../../src/workflow/index.ts';
import {codexOptions, context, warnings, workflowIn} from './fixture.ts';

const OLDER_FILE = `---
tracker:
  kind: desk
  project_slug: "symphony-0c79b11b75ea"
  endpoint: https://desk.example/graphql
  assignee: me
  api_key: $DESK_API_KEY
  active_states:
    - Todo
    - In Progress
    - Merging
  terminal_states: Closed, Cancelled, Done
polling:
  interval_ms: 5000
workspace:
  root: ~/code/symphony-workspaces
hooks:
  after_create: |
    git clone --depth 1 https://github.com/acme/web .
    if command -v mise >/dev/null 2>&1; then
      mise trust && mise exec -- mix deps.get
    fi
  before_remove: |
    cd elixir && mise exec -- mix workspace.before_remove
agent:
  max_concurrent_agents: 10
  max_turns: 20
  max_concurrent_agents_by_state:
    Merging: 1
codex:
  command: codex --config shell_environment_policy.inherit=all app-server
  approval_policy:
    reject:
      sandbox_approval: true
      rules: true
      mcp_elicitations: true
  thread_sandbox: workspace-write
  turn_sandbox_policy:
    type: workspaceWrite
server:
  port: 4000
---

You are working on a ticket \`{{ issue.identifier }}\`

{% if attempt %}
This is retry attempt #{{ attempt }}.
{% endif %}

{{ issue.title | default: "No title" }}
`;

test('a file of the older Symphony runs unchanged', () => {
  const reading = parseWorkflow(OLDER_FILE, context);
  const {settings, prompt} = workflowIn(reading);
  assert.deepEqual(settings.tracker.provider, {
    project_slug: 'symphony-0c79b11b75ea',
    endpoint: 'https://desk.example/graphql',
    assignee: 'me',
  });
  assert.deepEqual(settings.tracker.secrets, {api_key: {from: 'env', name: 'DESK_API_KEY'}});
  assert.deepEqual(settings.tracker.activeStates, ['Todo', 'In Progress', 'Merging']);
  assert.deepEqual(settings.tracker.terminalStates, ['Closed', 'Cancelled', 'Done']);
  assert.equal(settings.polling.intervalMs, 5000);
  assert.equal(settings.workspace.root, '/home/ada/code/symphony-workspaces');
  assert.match(settings.hooks.afterCreate ?? '', /^git clone .*\nif command[\s\S]*fi\n$/);
  assert.deepEqual(settings.agent.maxConcurrentAgentsByState, {merging: 1});
  assert.deepEqual(codexOptions(settings.agent).approval_policy, {
    granular: {sandbox_approval: false, rules: false, mcp_elicitations: false},
  });
  assert.deepEqual(codexOptions(settings.agent).turn_sandbox_policy, {type: 'workspaceWrite'});
  assert.equal(settings.server.port, 4000);
  assert.equal(prompt.engine, null);
  assert.ok(prompt.template.startsWith('You are working on a ticket `{{ issue.identifier }}`\n'));
  assert.ok(prompt.template.endsWith('{{ issue.title | default: "No title" }}'));
  assert.deepEqual(warnings(reading).length, 1);
  assert.match(warnings(reading)[0] ?? '', /^33:5: codex.approval_policy.reject/);
});
