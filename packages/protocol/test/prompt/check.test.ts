import assert from 'node:assert/strict';
import {test} from 'node:test';
import {checkTemplate} from '../../src/prompt/index.ts';

const check = (template: string) => checkTemplate({template, engine: null});

for (const template of [
  '',
  'Only text.',
  '{{#issue.blocked_by}}{{identifier}} ({{state}}){{/issue.blocked_by}}{{^issue.blocked_by}}free{{/issue.blocked_by}}',
  '{{#attempt}}{{retry}} {{last_error}}{{/attempt}}',
  '{{issue.native_ref.pull_request.number}}{{#issue.native_ref.files}}{{name}}{{/issue.native_ref.files}}',
  '{{issue.labels.0}} {{issue.labels.length}}',
  '{% for f in issue.native_ref.files %}{{ f.name }}{% endfor %}{{ issue.native_ref.n | plus: 1 }}',
  '{% if issue.native_ref.draft %}{{ issue.native_ref.a.b }}{% endif %}',
  '{{ issue.labels.first | upcase }}{{ issue.created_at | date: "%F" }}{{ issue.description | split: " " | first }}',
  '{% assign names = issue.blocked_by | map: "identifier" %}{% for n in names %}{{ n }}{{ forloop.last }}{% endfor %}',
  '{% assign key = "title" %}{{ issue[key] }}{% capture c %}{{ key }}{% endcapture %}{{ c }}',
  '{% assign key = "native_ref" %}{{ issue[key].draft }}',
  '{% if issue.state == "Rework" %}{{ last_error | default: "none" }}{% endif %}',
  '{% case retry %}{% when "failure" %}{{ last_error }}{% else %}{{ attempt }}{% endcase %}',
]) {
  test(`nothing to say about ${JSON.stringify(template)}`, async () => {
    assert.equal(await check(template), null);
  });
}

for (const [template, code, name] of [
  ['{{#issue.labels}}{{nam}}{{/issue.labels}}', 'render', 'nam'],
  ['{{^issue.labels}}{{lables}}{{/issue.labels}}', 'render', 'lables'],
  ['{{#attempt}}{{^issue.description}}{{x}}{{/issue.description}}{{/attempt}}', 'render', 'x'],
  ['{{#last_error}}{{error}}{{/last_error}}', 'render', 'error'],
  ['{{#issue.blocked_by}}{{> blocker}}{{/issue.blocked_by}}', 'render', 'blocker'],
  ['{{#issue}}', 'parse', 'issue'],
  ['{% if issue.state == "Rework" %}{{ issue.titel }}{% endif %}', 'render', 'issue.titel'],
  ['{% if issue.labels contains "x" %}{{ issue[keey] }}{% endif %}', 'render', 'keey'],
  ['{% for b in issue.blocked_by %}{{ b.name }}{% endfor %}', 'render', 'b.name'],
  ['{% unless attempt %}{{ "a" | shout }}{% endunless %}', 'render', 'shout'],
  ['{% if attempt %}', 'parse', 'if attempt'],
] as const) {
  test(`a mistake is found in ${JSON.stringify(template)}`, async () => {
    const failure = await check(template);
    assert.equal(failure?.code, `template_${code}_error`);
    assert.ok(failure?.message.includes(name), failure?.message);
    assert.match(failure?.message ?? '', /^prompt line 1, column \d+: /);
  });
}

test('one check leaves nothing behind for the next', async () => {
  assert.equal(await check('{% increment visits %}{{ visits }}'), null);
  assert.notEqual(await check('{% if attempt %}{{ visits }}{% endif %}'), null);
});
