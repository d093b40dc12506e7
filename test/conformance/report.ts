import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {run} from 'node:test';
import {fileURLToPath} from 'node:url';
import {rulesOf} from './case.ts';
import {RULES} from './rules/index.ts';
import type {Rule, Shown} from './rules/rule.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** No case is about time; one that waits for what never comes must end all the same. */
const LIMIT_MS = 600_000;

type Verdict = 'holds' | 'fails' | 'shown elsewhere' | 'not shown there' | 'open';

interface Results {
  /** Whether all the cases of a rule have passed. */
  readonly byRule: ReadonlyMap<string, boolean>;
  readonly troubles: readonly string[];
  readonly cases: number;
}

/** Words of a path choose the files: `npm run conformance -- tick`. */
const wanted = process.argv.slice(2);
const files = readdirSync(join(HERE, 'cases'))
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
  .sort()
  .map((name) => join(HERE, 'cases', name));
if (files.length === 0) throw new Error(`no case is called like ${wanted.join(' or ')}`);

const results = await perform(files);
const verdicts = RULES.map((rule) => ({rule, verdict: verdictOn(rule, results)}));
const told =
  wanted.length === 0 ? verdicts : verdicts.filter(({rule}) => results.byRule.has(rule.id));
const width = Math.max(...told.map(({rule}) => rule.id.length));
for (const {rule, verdict} of told) {
  const where =
    verdict.endsWith('where') || verdict.endsWith('there') ? ` ${placeOf(rule.shown)}` : '';
  console.log(`${rule.id.padEnd(width)}  ${verdict.padEnd(15)}  ${rule.says}${where}`);
}
for (const trouble of results.troubles) console.log(`\n${trouble}`);
const count = (verdict: Verdict) => told.filter((each) => each.verdict === verdict).length;
console.log(
  `\n${told.length} rules: ${count('holds')} hold (${results.cases} cases), ${count('fails')} fail,`,
  `${count('shown elsewhere')} are shown elsewhere, ${count('open')} are open,`,
  `${count('not shown there')} name a test that is not there`,
);
const isBad = count('fails') + count('not shown there') > 0 || results.troubles.length > 0;
process.exitCode = isBad ? 1 : 0;

/** One file after the other: each of them starts as many processes as two cores can take. */
async function perform(paths: string[]): Promise<Results> {
  const byRule = new Map<string, boolean>();
  const troubles: string[] = [];
  let cases = 0;
  const settle = (name: string, ok: boolean) => {
    cases += 1;
    for (const id of rulesOf(name)) byRule.set(id, ok && byRule.get(id) !== false);
  };
  for await (const {type, data} of run({files: paths, concurrency: false, timeout: LIMIT_MS})) {
    if (type === 'test:pass' && rulesOf(data.name).length > 0) {
      process.stderr.write(`· ${data.name} (${Math.round(data.details.duration_ms)} ms)\n`);
      settle(data.name, true);
    }
    if (type === 'test:fail') {
      const {error} = data.details;
      troubles.push(`FAILED ${data.name}\n${String(error.cause ?? error)}`);
      process.stderr.write(`✗ ${data.name}\n`);
      settle(data.name, false);
    }
  }
  return {byRule, troubles, cases};
}

function verdictOn(rule: Rule, {byRule}: Results): Verdict {
  const holds = byRule.get(rule.id);
  if (holds !== undefined) return holds ? 'holds' : 'fails';
  if (rule.shown === null) return 'open';
  return exists(rule.shown) ? 'shown elsewhere' : 'not shown there';
}

function exists({file, test}: Shown): boolean {
  const path = join(ROOT, file);
  return existsSync(path) && readFileSync(path, 'utf8').includes(test);
}

function placeOf(shown: Shown | null): string {
  return shown === null ? '' : `(${shown.file})`;
}
