import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {FAILURES, Issue, RunOutcome} from '@symphony-supervisor/protocol';
import {describeKeys} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import {makeInstruments} from '../../../packages/orchestrator/src/metrics/instruments.ts';
import {ROOT} from './markdown.ts';

// What there is, asked of the code itself; the pages are held against it.

export const SETTINGS = describeKeys().map(({key}) => key);
export const FAILURE_CODES = Object.keys(FAILURES);
export const OUTCOMES = RunOutcome.options;

export const VARIABLES = [
  ...Object.keys(Issue.shape).map((field) => `issue.${field}`),
  ...[
    'fenced_issue',
    'attempt',
    'retry',
    'last_error',
    'run.turn',
    'run.max_turns',
    'workspace.path',
  ],
];

/** By kind of tracker: the provider's keys, secrets with their twins. */
export const PROVIDER_KEYS = new Map(
  Object.values(PROFILES).map(({kind, knownKeys, secrets}) => [
    kind,
    [...knownKeys, ...secrets.flatMap(({key}) => [key, `${key}_file`])],
  ]),
);

/** Codes that are only a type: as the source lists them. */
export const COMPLAINTS = codesIn('packages/protocol/src/workflow/text/complaint.ts');
export const TRACKER_FAILURES = codesIn('packages/tracker/src/answer.ts');

function codesIn(file: string): readonly string[] {
  return readFileSync(join(ROOT, file), 'utf8').match(/(?<=^ {2}\| ')[a-z_]+(?=')/gm) ?? [];
}

export const NPM_SCRIPTS = Object.keys(
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts,
);

/** Everything that the product says or understands stands somewhere in its sources. */
const SOURCES = ['protocol', 'tracker', 'runner', 'orchestrator']
  .flatMap((name) => {
    const folder = join(ROOT, 'packages', name, 'src');
    const files = readdirSync(folder, {recursive: true, encoding: 'utf8'});
    return files.filter((file) => /\.(ts|js|html)$/.test(file)).map((file) => join(folder, file));
  })
  .concat(join(ROOT, 'ecosystem.config.cjs'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const WORDS = new Set(SOURCES.match(/\w+/g));

export function isInSources(word: string): boolean {
  return WORDS.has(word);
}

/** Of a line in the log: what shares its first word with a section of the workflow file may be one. */
export function isLogEvent(word: string): boolean {
  return SOURCES.includes(`event: '${word}'`);
}

export const METRICS = makeInstruments()
  .registry.getMetricsAsArray()
  .map(({name}) => name);
