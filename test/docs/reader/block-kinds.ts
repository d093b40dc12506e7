import {existsSync, readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {checkTemplate, engineOf} from '@symphony-supervisor/protocol/prompt';
import {openTracker, secretResolver} from '@symphony-supervisor/tracker';
import {parse} from 'yaml';
import {aFolder} from '../../rig/fixtures/folder.ts';
import {mistakeIn, RUNNER, SUPERVISOR} from './commands.ts';
import {SETTINGS} from './facts.ts';
import {ROOT} from './markdown.ts';
import {mistakesInScript} from './shell.ts';
import {mistakesIn, readText, wholeFile, workflowOf} from './workflow-text.ts';

/** What is wrong with a code block of a page; nothing, as a rule. */
export type CheckBlock = (text: string) => readonly string[] | Promise<readonly string[]>;

/** Every kind of code block that a page may have, by the word after its fence, and how it is exercised. */
export const BLOCK_KINDS: Readonly<Record<string, CheckBlock>> = {
  yaml: checkYaml,
  markdown: checkMarkdown,
  mustache: (text) => checkPrompt(text, 'mustache'),
  liquid: (text) => checkPrompt(text, 'liquid'),
  json: checkJson,
  sh: mistakesInScript,
  ini: checkUnit,
  usage: checkUsage,
  ts: checkQuote,
};

/** Warnings that an example is allowed to show: older files are. */
const TOLD = /is no longer understood by Codex|linear_graphql/;

const SECTIONS = new Set(SETTINGS.map((key) => key.split('.')[0]));

function checkYaml(text: string): readonly string[] {
  const value: unknown = parse(text);
  const keys = Object.keys(value ?? {});
  if (keys.some((key) => SECTIONS.has(key))) return mistakesIn(wholeFile(text));
  // A scrape configuration of Prometheus.
  if (keys.join() === 'scrape_configs') return text.includes('read-token') ? [] : ['no token'];
  return [`YAML with the keys ${keys.join(', ')}: what is it?`];
}

async function checkMarkdown(text: string): Promise<readonly string[]> {
  if (!text.startsWith('---\n')) return ['neither a workflow file nor an issue'];
  if (!/^tracker:/m.test(text)) return checkIssueFile(text);
  const mistakes = mistakesIn(text).filter((mistake) => !TOLD.test(mistake));
  if (!readText(text).ok) return mistakes;
  const failure = await checkTemplate(workflowOf(text).prompt);
  return failure === null ? mistakes : [...mistakes, failure.message];
}

/** By the tracker that reads such files. */
async function checkIssueFile(text: string): Promise<readonly string[]> {
  await using folder = await aFolder();
  const path = join(folder.path, 'issues');
  await mkdir(path);
  await writeFile(join(path, 'T-1.md'), text);
  const {settings} = workflowOf('---\ntracker: {kind: file}\n---\n');
  const opened = await openTracker(
    {...settings.tracker, provider: {path}},
    {resolveSecret: secretResolver({})},
  );
  if (!opened.ok) return [opened.failure.message];
  await using tracker = opened.value;
  const signal = AbortSignal.timeout(10_000);
  const found = await tracker.issuesByStates(settings.tracker.activeStates, signal);
  if (!found.ok) return [found.failure.message];
  if (found.value.length !== 1) return ['the file tracker finds no active issue in it'];
  return found.warnings.flatMap(({examples}) => examples);
}

async function checkPrompt(
  template: string,
  engine: 'mustache' | 'liquid',
): Promise<readonly string[]> {
  const told = engineOf({template, engine: null});
  if (told !== engine) return [`it would be rendered by ${told}`];
  const failure = await checkTemplate({template, engine});
  return failure === null ? [] : [failure.message];
}

function checkJson(text: string): readonly string[] {
  JSON.parse(text);
  return [];
}

/** A unit of systemd: what it starts is a command of ours. */
function checkUnit(text: string): readonly string[] {
  const starts = [...text.matchAll(/^Exec\w+=(.*)$/gm)].map(([, line = '']) => line.split(' '));
  if (starts.length === 0) return ['it starts nothing'];
  return starts.flatMap((words) => {
    const at = words.findIndex((word) => /symphony-(supervisor|runner)$/.test(word));
    if (at < 0) return [];
    const program = words[at]?.split('/').at(-1) ?? '';
    return mistakeIn(program, words.slice(at + 1)) ?? [];
  });
}

/** A synopsis names no option that there is not, and all of them unless it says `[options]`. */
function checkUsage(text: string): readonly string[] {
  const program = text.split(' ')[0] ?? '';
  const command = program === 'symphony-runner' ? RUNNER : SUPERVISOR[0];
  if (command === undefined) return [];
  const known = command.options.map(({long}) => long);
  const named: string[] = text.match(/--[a-z][a-z-]*/g) ?? [];
  const silent = ['--help', '--version', '--debug'];
  return [
    ...named.filter((option) => !known.includes(option)).map((option) => `${option} is not known`),
    ...known
      .filter((option) => !named.includes(option) && !silent.includes(option))
      .filter(() => !text.includes('[options]'))
      .map((option) => `${option} is missing`),
  ];
}

/** Code is quoted: the first line names a file, which holds the rest. `// …` stands for what is left out. */
function checkQuote(text: string): readonly string[] {
  const [, path = '', quoted = ''] = /^\/\/ (\S+)\n(.*)$/s.exec(text) ?? [];
  if (path === '' || !existsSync(join(ROOT, path))) return ['its first line names no file'];
  let rest = readFileSync(join(ROOT, path), 'utf8');
  for (const part of quoted.split(/^\/\/ …\n/m)) {
    const at = rest.indexOf(part);
    if (at < 0) return [`${path} does not hold, after what is quoted before:\n${part}`];
    rest = rest.slice(at + part.length);
  }
  return [];
}
