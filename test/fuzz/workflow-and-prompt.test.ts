import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RunFailure} from '@symphony-supervisor/protocol';
import {checkTemplate, promptVariables, renderPrompt} from '@symphony-supervisor/protocol/prompt';
import {formatComplaint, parseWorkflow} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import fc from 'fast-check';
import {anIssue} from '../rig/fixtures/issue.ts';
import {OPTIONS} from './runs.ts';
import {spoiledText} from './spoil-text.ts';

const CONTEXT = {env: {}, profiles: PROFILES, tmpDir: '/tmp', homeDir: '/home/me', path: '/W.md'};
const WORKFLOWS = ['file', 'linear', 'github', 'memory'].map(
  (kind) => `---
name: web
tracker:
  kind: ${kind}
  provider: {repository: a/b, project_slug: s, path: ./issues, api_key: $KEY}
  active_states: [Todo, In Progress]
  terminal_states: [Done]
  in_progress_state: In Progress
  handoff_state: Review
polling: {interval_ms: "15000"}
hooks:
  after_create: |
    git clone x .
agent: {max_turns: 5, max_concurrent_agents_by_state: {todo: 2}, env: [CI]}
codex: {approval_policy: {reject: {rules: true}}, turn_sandbox_policy: {type: workspaceWrite}}
server: {port: 0, allowed_hosts: [a.example]}
---
Do {{ issue.title }}.
`,
);
const TEMPLATES = [
  'Do {{ issue.title }} in {{workspace.path}}. {{#issue.labels}}- {{.}}\n{{/issue.labels}}{{^retry}}x{{/retry}}',
  '{% if attempt %}Again: {{ last_error | default: "none" }}{% endif %}{% for l in issue.labels %}{{ l | upcase }}{% endfor %}',
  '{% assign a = issue.title | split: " " %}{{ a | join: "-" | truncate: 20 }}{% case retry %}{% when "failure" %}f{% endcase %}',
];
const VARIABLES = promptVariables(
  {
    ...{issue: anIssue({labels: ['a', 'b']}), attempt: 2, retry: null, last_error: null},
    ...{role: 'worker', max_turns: 3},
  },
  {turn: 1, workspacePath: '/w/ABC-1'},
);

test('any workflow file is read, or refused in lines that say where', () => {
  fc.assert(
    fc.property(spoiledText(WORKFLOWS), (text) => {
      const reading = parseWorkflow(text, CONTEXT);
      assert.ok(reading.ok || reading.errors.length > 0);
      for (const complaint of reading.ok ? reading.warnings : reading.errors) {
        assert.match(formatComplaint(complaint), /^\/W\.md:\d+:\d+: [^\n\r]+$/);
      }
    }),
    OPTIONS,
  );
});

for (const engine of ['mustache', 'liquid', null] as const) {
  test(`any template is rendered, or refused with a name (${engine ?? 'told from the text'})`, async () => {
    await fc.assert(
      fc.asyncProperty(spoiledText(TEMPLATES), async (template) => {
        const prompt = {template, engine};
        try {
          assert.equal(typeof (await renderPrompt(prompt, VARIABLES)), 'string');
        } catch (error) {
          assert.ok(error instanceof RunFailure, String(error));
          assert.match(error.failure.code, /^template_(parse|render)_error$/);
        }
        const found = await checkTemplate(prompt);
        assert.ok(found === null || found.code.startsWith('template_'));
      }),
      OPTIONS,
    );
  });
}
