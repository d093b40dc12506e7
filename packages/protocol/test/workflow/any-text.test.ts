import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {describeKeys, formatComplaint, parseWorkflow} from '../../src/workflow/index.ts';
import {context} from './fixture.ts';

const SECRET = 'lin_api_0123456789';

const SOUND = `---
name: web
tracker:
  kind: desk
  project_slug: acme
  api_key: ${SECRET}
  active_states: [Todo, In Progress]
  handoff_state: Review
workspace: {root: ~/work}
agent:
  max_turns: 5
  max_concurrent_agents_by_state: {todo: 2}
  env: [CI]
codex:
  approval_policy: {reject: {rules: true}}
---
Do {{ issue.title }}.
`;

/** Whatever it is given, it answers; an answer is one line for each complaint, inside the file. */
function answersSensibly(text: string): void {
  const reading = parseWorkflow(text, context);
  const complaints = [...reading.warnings, ...(reading.ok ? [] : reading.errors)];
  assert.ok(reading.ok || reading.errors.length > 0);
  const lines = text.split('\n').length;
  for (const complaint of complaints) {
    assert.match(formatComplaint(complaint), /^\/projects\/acme\/WORKFLOW\.md:\d+:\d+: [^\n\r]+$/);
    assert.ok(complaint.line >= 1 && complaint.line <= lines, `${complaint.line} of ${lines}`);
    assert.ok(complaint.column >= 1);
    // Elsewhere than below its key, nobody can know that it is one.
    if (text.includes(`api_key: ${SECRET}\n`)) assert.ok(!complaint.message.includes(SECRET));
  }
}

test('any text gets an answer', () => {
  fc.assert(fc.property(fc.string({unit: 'binary', maxLength: 300}), answersSensibly));
  const yamlish = fc.string({
    unit: fc.constantFrom(...'---\n\n  ::,[]{}#&*!|>\'"%@`?~$ab01\t\r', '<<: ', '- ', '*a', '&a '),
    maxLength: 120,
  });
  fc.assert(
    fc.property(yamlish, (yaml) => answersSensibly(`---\n${yaml}\n---\nDo it.`)),
    {numRuns: 2000},
  );
});

test('any value for any key gets an answer', () => {
  const key = fc.constantFrom(...describeKeys().map((row) => row.key));
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue(), {maxKeys: 12}), (values) => {
      const sections = new Map<string, string[]>([['tracker', ['kind: desk']]]);
      for (const [name, value] of Object.entries(values)) {
        const [section = '', below] = name.split('.');
        if (below === undefined || name === 'tracker.kind') continue;
        sections.set(section, [
          ...(sections.get(section) ?? []),
          `${below}: ${JSON.stringify(value)}`,
        ]);
      }
      const yaml = [...sections].map(([name, lines]) => `${name}:\n  ${lines.join('\n  ')}\n`);
      answersSensibly(`---\n${yaml.join('')}---\n`);
    }),
    {numRuns: 1000},
  );
});

test('a sound file with a slip in it gets an answer', () => {
  assert.ok(parseWorkflow(SOUND, context).ok);
  const slip = fc.record({
    at: fc.nat(SOUND.length),
    drop: fc.nat(8),
    add: fc.oneof(
      fc.string({maxLength: 4}),
      fc.constantFrom('\n', '  ', ': ', '- ', '[', '{', '"', '-1', '&a ', '*a', '~', 'null'),
    ),
  });
  fc.assert(
    fc.property(fc.array(slip, {minLength: 1, maxLength: 3}), (slips) => {
      const text = slips.reduce(
        (whole, {at, drop, add}) => whole.slice(0, at) + add + whole.slice(at + drop),
        SOUND,
      );
      answersSensibly(text);
    }),
    {numRuns: 3000},
  );
});
