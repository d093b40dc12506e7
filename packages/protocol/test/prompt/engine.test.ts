import assert from 'node:assert/strict';
import {test} from 'node:test';
import {engineOf} from '../../src/prompt/index.ts';

const told = (template: string) => engineOf({template, engine: null});

for (const template of [
  '{% if attempt %}again{% endif %}',
  '{%- assign x = 1 -%}',
  '{% # a note %}',
  'dates\n{% assign y = issue.created_at | date: "%Y" %}',
  '{{ issue.labels | join: ", " }}',
  '{{issue.title|upcase}}',
  '{{- issue.title | upcase -}}',
  '{{ issue.labels[0] | upcase | strip }}',
  '{{ "now" | date: "%F" }}',
]) {
  test(`Liquid: ${template}`, () => assert.equal(told(template), 'liquid'));
}

for (const template of [
  '',
  'no tag at all',
  '{{issue.title}}',
  '{{{ issue.title }}}',
  '{{{ a | b }}}',
  '{{#issue.labels}}{{.}} | {{/issue.labels}}',
  '{{! a comment | with a bar }}',
  '{{! once this was {% if attempt %} }}',
  '{{={% %}=}}{% attempt %}',
  'in code: {{ a || b }}',
  'in code: <div style={{width: x | y}}>',
  'a table: {{issue.title}} | {{issue.state}}',
  'printf "{%d}" and 5%}',
]) {
  test(`Mustache: ${template}`, () => assert.equal(told(template), 'mustache'));
}

test('a prompt that names its engine gets it', () => {
  assert.equal(engineOf({template: '{% if x %}', engine: 'mustache'}), 'mustache');
  assert.equal(engineOf({template: '{{x}}', engine: 'liquid'}), 'liquid');
});
