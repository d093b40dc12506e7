import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {failureOf, rendered, variables} from './builders.ts';

describe('Mustache prints', () => {
  for (const [template, expected] of [
    [
      '{{issue.title}} {{{issue.title}}} {{& issue.title}}',
      'Fix the door Fix the door Fix the door',
    ],
    ['{{issue.url}}|{{attempt}}|{{last_error}}', '||'],
    ['{{issue.url.host.name}}', ''],
    ['{{issue.labels}}', 'bug, urgent'],
    ['{{issue.labels.length}}: {{issue.labels.0}}{{issue.labels.9}}', '2: bug'],
    ['{{issue.native_ref}}', '{"number":7,"nested":{"key":"value"}}'],
    ['{{issue.native_ref.nested.key}}', 'value'],
    ['{{#issue.labels}}<{{.}}>{{/issue.labels}}', '<bug><urgent>'],
    [
      '{{#issue.blocked_by}}[{{identifier}} for {{issue.identifier}}]{{/issue.blocked_by}}',
      '[ABC-2 for ABC-1][ for ABC-1]',
    ],
    ['{{#issue}}{{title}} in {{workspace.path}}{{/issue}}', 'Fix the door in /workspaces/ABC-1'],
    ['{{#issue.dispatchable}}yes{{/issue.dispatchable}}', 'yes'],
    ['{{#attempt}}again{{/attempt}}{{^attempt}}first{{/attempt}}', 'first'],
    ['{{run.turn}}/{{run.max_turns}}', '1/20'],
    ['{{=<% %>=}}<% issue.title %> {{issue.titel}}', 'Fix the door {{issue.titel}}'],
    ['{{! issue.titel }}kept', 'kept'],
    ['\n\n  {{issue.title}}  \n', 'Fix the door'],
    ['{{#issue.labels}}\n- {{.}}\n{{/issue.labels}}', '- bug\n- urgent\n'],
  ] as const) {
    test(template, async () => assert.equal(await rendered(template, 'mustache'), expected));
  }

  test('a list within a list, and text within a section of its own', async () => {
    const values = variables({native_ref: [[1, 2], [3]], description: 'text'});
    const template =
      '{{#issue.native_ref}}({{.}}){{/issue.native_ref}}{{#issue.description}}{{.}}{{/issue.description}}';
    assert.equal(await rendered(template, 'mustache', values), '(1, 2)(3)text');
  });

  test('an own property of any name', async () => {
    const values = variables({native_ref: JSON.parse('{"__proto__": "p", "constructor": "c"}')});
    const template = '{{issue.native_ref.__proto__}}{{issue.native_ref.constructor}}';
    assert.equal(await rendered(template, 'mustache', values), 'pc');
  });
});

describe('Mustache refuses', () => {
  for (const [template, code, message] of [
    [
      'a\n\n  {{issue.titel}}',
      'render',
      'line 3, column 3: unknown variable "issue.titel" (did you mean "issue.title"?)',
    ],
    [
      '\n\n a\n{{{issue.titel}}}',
      'render',
      'line 4, column 1: unknown variable "issue.titel" (did you mean "issue.title"?)',
    ],
    [
      '\n  {{&title}}',
      'render',
      'line 2, column 3: unknown variable "title" (did you mean "issue.title"?)',
    ],
    [
      '{{#issue}}{{stat}}{{/issue}}',
      'render',
      'line 1, column 11: unknown variable "stat" (did you mean "state"?)',
    ],
    [
      '{{issue.branchName}}',
      'render',
      'line 1, column 1: unknown variable "issue.branchName" (did you mean "issue.branch_name"?)',
    ],
    ['{{issue.x}}', 'render', 'line 1, column 1: unknown variable "issue.x"'],
    ['{{}}', 'render', 'line 1, column 1: unknown variable ""'],
    [
      '{{#issue.lables}}{{/issue.lables}}',
      'render',
      'line 1, column 1: unknown section "issue.lables" (did you mean "issue.labels"?)',
    ],
    ['x\n{{^nothing}}{{/nothing}}', 'render', 'line 2, column 1: unknown section "nothing"'],
    ['x\n{{> footer}}', 'render', 'line 2, column 1: unknown partial "footer"'],
    ['{{constructor}}', 'render', 'line 1, column 1: unknown variable "constructor"'],
    [
      '{{issue.constructor.name}}',
      'render',
      'line 1, column 1: unknown variable "issue.constructor.name"',
    ],
    ['{{issue.__proto__}}', 'render', 'line 1, column 1: unknown variable "issue.__proto__"'],
    ['{{issue.toString}}', 'render', 'line 1, column 1: unknown variable "issue.toString"'],
    ['{{issue.title.length}}', 'render', 'line 1, column 1: unknown variable "issue.title.length"'],
    [
      '{{#issue.title}}{{length}}{{/issue.title}}',
      'render',
      'line 1, column 17: unknown variable "length"',
    ],
    [
      '{{issue.native_ref.numer}}',
      'render',
      'line 1, column 1: unknown variable "issue.native_ref.numer" (did you mean "issue.native_ref.number"?)',
    ],
    ['{{issue.title}}\n{{ issue.title\nb', 'parse', 'line 2, column 1: a tag is not closed'],
    ['{{{ issue.title }}\n{{issue.title}}', 'parse', 'line 1, column 1: a tag is not closed'],
    ['{{=<% %>=}}\n<% issue.title', 'parse', 'line 2, column 1: a tag is not closed'],
    [
      'a\n{{#issue.labels}}{{/issue.labels}}{{#issue.labels}}\nc',
      'parse',
      'line 2, column 35: section "issue.labels" is not closed',
    ],
    [
      '{{#issue}}\n{{#run}}\n{{/issue}}{{/run}}',
      'parse',
      'line 2, column 1: section "run" is not closed',
    ],
    [
      '{{#run}}\n{{#run}}{{/run}}\n{{#run}}{{/run}}',
      'parse',
      'line 1, column 1: section "run" is not closed',
    ],
    ['a\n{{/issue}}', 'parse', 'line 2, column 1: section "issue" is closed, but was not opened'],
    ['a\n{{=x=}}', 'parse', 'line 2, column 1: invalid tags: x'],
  ] as const) {
    test(JSON.stringify(template), async () => {
      assert.deepEqual(await failureOf(template, 'mustache'), {
        code: `template_${code}_error`,
        message: `prompt ${message}`,
      });
    });
  }
});
