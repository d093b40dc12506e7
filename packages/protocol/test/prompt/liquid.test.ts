import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {failureOf, rendered, variables} from './builders.ts';

describe('Liquid prints', () => {
  for (const [template, expected] of [
    ['{{ issue.title | upcase }}', 'FIX THE DOOR'],
    ['{{ issue.url }}|{{ attempt }}|{{ issue.url.host }}', '||'],
    ['{% if attempt %}again{% else %}first{% endif %}', 'first'],
    ['{% for label in issue.labels %}{{ forloop.index }}{{ label }} {% endfor %}', '1bug 2urgent '],
    ['{% for b in issue.blocked_by %}[{{ b.identifier }}]{% endfor %}', '[ABC-2][]'],
    [
      '{{ issue.labels }}|{{ issue.native_ref }}',
      'bug, urgent|{"number":7,"nested":{"key":"value"}}',
    ],
    ['{{ issue.labels | join: "-" }}', 'bug-urgent'],
    [
      '{{ issue.labels.size }}{{ issue.labels.first }}{{ issue.labels[0] }}{{ issue.labels[9] }}',
      '2bugbug',
    ],
    ['{{ issue.created_at }} {{ issue.created_at | date: "%Y" }}', '2026-01-02T03:04:05.000Z 2026'],
    ['{% assign turns = run.max_turns | minus: run.turn %}{{ turns }}', '19'],
    ['{% comment %} {{ issue.titel }} {% endcomment %}kept', 'kept'],
    ['{% raw %}{{ issue.titel }}{% endraw %}', '{{ issue.titel }}'],
    ['\n\n {{ issue.title }} \n', 'Fix the door'],
  ] as const) {
    test(template, async () => assert.equal(await rendered(template, 'liquid'), expected));
  }

  test('nothing for the first of an empty list', async () => {
    const values = variables({labels: []});
    assert.equal(
      await rendered('{{ issue.labels.first }}{{ issue.labels.last }}', 'liquid', values),
      '',
    );
  });

  test('counters of its own, which do not reach the next rendering', async () => {
    const values = variables();
    const template = '{% increment attempts %}{{ attempts }}';
    assert.equal(await rendered(template, 'liquid', values), '01');
    assert.equal(await rendered(template, 'liquid', values), '01');
  });
});

describe('Liquid refuses', () => {
  for (const [template, code, message] of [
    [
      'a\n\n {{ issue.titel }}',
      'render',
      'line 3, column 5: unknown variable "issue.titel" (did you mean "issue.title"?)',
    ],
    [
      '\n\n a\n{{ issue.titel }}',
      'render',
      'line 4, column 4: unknown variable "issue.titel" (did you mean "issue.title"?)',
    ],
    [
      '\n {% if issue.titel == 1 %}{% endif %}',
      'render',
      'line 2, column 8: unknown variable "issue.titel" (did you mean "issue.title"?)',
    ],
    [
      '{% for b in issue.blocked_by %}\n{{ b.stat }}{% endfor %}',
      'render',
      'line 2, column 4: unknown variable "b.stat"',
    ],
    [
      'a\n{{ issue.title | upcas }}',
      'render',
      'line 2, column 1: unknown filter "upcas" (did you mean "upcase"?)',
    ],
    [
      '{% if attempt %}{{ 1 | nofilter }}{% endif %}',
      'render',
      'line 1, column 17: unknown filter "nofilter"',
    ],
    ['{{ constructor }}', 'render', 'line 1, column 4: unknown variable "constructor"'],
    [
      '{{ issue.constructor.name }}',
      'render',
      'line 1, column 4: unknown variable "issue.constructor"',
    ],
    ['{{ issue.__proto__ }}', 'render', 'line 1, column 4: unknown variable "issue.__proto__"'],
    ['{{ issue["toString"] }}', 'render', 'line 1, column 4: unknown variable "issue.toString"'],
    ['a\n{% include "footer.md" %}', 'render', 'line 2, column 1: unknown partial "footer.md"'],
    [
      "{% render 'constructor', a: 1 %}",
      'render',
      'line 1, column 1: unknown partial "constructor"',
    ],
    ['{% layout "/etc/passwd" %}', 'render', 'line 1, column 1: unknown partial "/etc/passwd"'],
    [
      '{% liquid\n render "../../package.json"\n%}',
      'render',
      'line 2, column 2: unknown partial "../../package.json"',
    ],
    [
      '{% for i in (1..999999999) %}{{ i }}{% endfor %}',
      'render',
      'line 1, column 1: memory alloc limit exceeded',
    ],
    ['a\n{% if attempt %}', 'parse', 'line 2, column 1: tag {% if attempt %} not closed'],
    ['a\n{{ issue.title', 'parse', 'line 2, column 1: output "{{ issue.title" not closed'],
    ['a\n{% fi %}', 'parse', 'line 2, column 1: tag "fi" not found'],
    ['a\n{{#issue}}', 'parse', 'line 2, column 3: invalid value expression: "#issue"'],
  ] as const) {
    test(JSON.stringify(template), async () => {
      assert.deepEqual(await failureOf(template, 'liquid'), {
        code: `template_${code}_error`,
        message: `prompt ${message}`,
      });
    });
  }

  test('a template beyond all measure', async () => {
    assert.deepEqual(await failureOf('x'.repeat(1_000_001), 'liquid'), {
      code: 'template_parse_error',
      message: 'prompt: parse length limit exceeded',
    });
  });
});
