import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RUNNER, SUPERVISOR} from './reader/commands.ts';
import {
  isInSources,
  isLogEvent,
  METRICS,
  PROVIDER_KEYS,
  SETTINGS,
  VARIABLES,
} from './reader/facts.ts';
import {allPages, placeOf} from './reader/markdown.ts';
import {isRoute} from './reader/routes.ts';
import {mistakesInScript} from './reader/shell.ts';

/** Names of other programs, which pages may mention. */
const FOREIGN = new Set([
  ...['GH_TOKEN', 'LINEAR_ASSIGNEE', 'HTTPS_PROXY', 'codex.reasoning_effort', 'provider.token'],
  'OPENCODE_DISABLE_PROJECT_CONFIG',
  '--i-understand-that-this-will-be-running-without-the-usual-guardrails',
]);

const SECTIONS = new Set(SETTINGS.map((key) => key.split('.')[0]));
const providerKeys = [...PROVIDER_KEYS.values()].flat();
const options = [RUNNER, ...SUPERVISOR].flatMap((command) =>
  command.options.flatMap(({long, short}) => [long, short]),
);

interface Shape {
  readonly is: string;
  readonly looksLike: RegExp;
  readonly exists: (word: string) => boolean;
}

/** How a word in code style is told for what it is; the first that fits decides. */
const SHAPES: readonly Shape[] = [
  {
    is: 'command',
    looksLike: /^(npx )?symphony-(supervisor|runner)( [^[<].*)?$|^npm /,
    exists: (word) => mistakesInScript(word.replace('"…"', 'text')).length === 0,
  },
  {
    is: 'option',
    looksLike: /^--?[a-z][a-z-]*/,
    exists: (word) =>
      word.split(/[ =,]+/).every((each) => !each.startsWith('-') || options.includes(each)),
  },
  {
    is: 'route',
    looksLike: /^((GET|POST) )?\/(api\/v1\/|webhooks\/|metrics|livez|readyz)/,
    exists: (word) => {
      const [path = '', method = null] = word.split(' ').reverse();
      return path === '/api/v1/' || isRoute(method, path.replace(/[<{]\w+[>}]/g, 'x'));
    },
  },
  {
    is: 'setting of a tracker',
    looksLike: /^(tracker\.)?provider\.\w+$/,
    exists: (word) => providerKeys.includes(word.split('.').at(-1) ?? ''),
  },
  {
    is: 'setting or variable',
    looksLike: /^[a-z]+\.[a-z_]+(\.\w+)*$|^[a-z]+\.\*$/,
    exists: isSettingOrVariable,
  },
  {is: 'metric', looksLike: /^symphony_[a-z_]+$/, exists: (word) => METRICS.includes(word)},
  {is: 'name', looksLike: /^\$?[A-Z]+(_[A-Z]+)+$/, exists: (word) => isInSources(bare(word))},
  {
    is: 'name',
    looksLike: /^[a-z]+(_[a-z]+)+$/,
    exists: (word) => isInSources(word) || providerKeys.includes(word),
  },
];

function bare(word: string): string {
  return word.replace('$', '');
}

/** Of the front matter, of a template, of the log, or the flat key of an older file; file names are none of these. */
function isSettingOrVariable(word: string): boolean {
  const [section = '', key = ''] = word.split('.');
  if (VARIABLES.includes(word) || SETTINGS.includes(word) || isLogEvent(word)) return true;
  // Its shape is the provider's own.
  if (word.startsWith('issue.native_ref.')) return true;
  if (section === 'tracker') return providerKeys.includes(key);
  if (key === '*') return SECTIONS.has(section);
  return !SECTIONS.has(section) && !['issue', 'run'].includes(section);
}

test('what is named in the pages exists', () => {
  const spans = allPages().flatMap((page) => page.spans);
  const seen = new Map(SHAPES.map((shape) => [shape, 0]));
  const missing = spans.flatMap((span) => {
    const shape = SHAPES.find(({looksLike}) => looksLike.test(span.text));
    if (shape === undefined || FOREIGN.has(span.text)) return [];
    seen.set(shape, (seen.get(shape) ?? 0) + 1);
    return shape.exists(span.text) ? [] : `${placeOf(span)}: there is no ${shape.is} ${span.text}`;
  });
  assert.deepEqual(missing, []);
  const idle = SHAPES.filter((shape) => seen.get(shape) === 0);
  assert.deepEqual(
    idle.map(({is}) => is),
    [],
    'shapes that nothing fits',
  );
});
