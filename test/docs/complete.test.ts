import assert from 'node:assert/strict';
import {test} from 'node:test';
import {symphonyVariables} from '../../packages/runner/src/job/environment.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {RUNNER, SUPERVISOR} from './reader/commands.ts';
import {
  COMPLAINTS,
  FAILURE_CODES,
  METRICS,
  OUTCOMES,
  PROVIDER_KEYS,
  SETTINGS,
  TRACKER_FAILURES,
  VARIABLES,
} from './reader/facts.ts';
import {type Page, readPage} from './reader/markdown.ts';
import {ROUTES} from './reader/routes.ts';

/** What is not on the page in code style, as a word of its own. */
function unmentioned(words: readonly string[], {spans, blocks}: Page): string[] {
  const said = [...spans, ...blocks].map(({text}) => text);
  const known = new Set(said.flatMap((text) => text.split(/[\s=,[\]()|'"?]+/)));
  return words.filter((word) => !known.has(word));
}

const mentions: readonly [what: string, words: readonly string[], page: string][] = [
  ['setting', SETTINGS, 'docs/workflow.md'],
  ['failure code', FAILURE_CODES, 'docs/troubleshooting.md'],
  ['complaint about a workflow file', COMPLAINTS, 'docs/troubleshooting.md'],
  ['failure of a tracker', TRACKER_FAILURES, 'docs/trackers/README.md'],
  ['variable of a template', VARIABLES, 'docs/prompts.md'],
  ['outcome', OUTCOMES, 'docs/hooks.md'],
  [
    'variable of a hook',
    [...Object.keys(symphonyVariables('run', anIssue(), '/', null)), 'SYMPHONY_OUTCOME'],
    'docs/hooks.md',
  ],
  ['option of the runner', RUNNER.options.map(({long}) => long), 'docs/runner.md'],
  ['command', SUPERVISOR.map(({name}) => name), 'docs/cli.md'],
  ['option', SUPERVISOR.flatMap(({options}) => options.map(({long}) => long)), 'docs/cli.md'],
  ['route', ROUTES.map(({path}) => path), 'docs/http-api.md'],
  ['metric', METRICS, 'docs/metrics.md'],
];

for (const [what, words, page] of mentions) {
  test(`every ${what} is in ${page}`, () => {
    assert.ok(words.length > 0);
    assert.deepEqual(unmentioned(words, readPage(page)), []);
  });
}

for (const [kind, keys] of PROVIDER_KEYS) {
  test(`every key of the tracker ${kind} is on its page`, () => {
    const page = readPage(`docs/trackers/${kind}.md`);
    // The twin of a secret is explained once for all of them.
    const own = keys.filter((key) => !key.endsWith('_file'));
    assert.deepEqual(
      unmentioned(
        own.map((key) => `provider.${key}`),
        page,
      ),
      [],
    );
  });
}

test('every setting has one row in the table of what a reload does', () => {
  const {text} = readPage('docs/workflow.md');
  const [, table = ''] = text.split('| when | keys |');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  const named = rows.map((row) => [...row.matchAll(/`([a-z_.*]+)`/g)].map(([, key = '']) => key));
  const rowsOf = (key: string) => {
    const exact = named.filter((keys) => keys.includes(key));
    return exact.length > 0 ? exact : named.filter((keys) => keys.includes(sectionOf(key)));
  };
  const sectionOf = (key: string) => `${key.split('.')[0]}.*`;
  assert.deepEqual(
    SETTINGS.filter((key) => rowsOf(key).length !== 1),
    [],
  );
});
