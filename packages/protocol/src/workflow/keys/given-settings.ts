import type * as z from 'zod/mini';
import type {Findings} from '../text/findings.ts';
import {isRecord} from '../text/front-matter.ts';
import {type KeyPath, spellKey} from '../text/key-path.ts';
import {keyAt} from './known-keys.ts';
import {frontMatterSchema, type GivenSettings} from './schema.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Checks every key by itself. A bad one is reported and then read as if left out, so that what
 * comes after can go on and find what else is wrong with the file.
 */
export function checkSettings(value: Values, findings: Findings): GivenSettings {
  const result = frontMatterSchema.safeParse(value);
  if (result.success) return result.data;

  let rest = value;
  for (const path of badPaths(result.error.issues)) {
    const {note, depth} = keyAt(path);
    const expected = note?.expects ?? 'another value';
    if (note?.forgiving && path.length > depth) {
      const problem = `${findings.asGiven(path)} and is ignored`;
      findings.warn('ignored_entry', path, `${problem}; give ${expected}`);
      rest = without(rest, path);
    } else {
      findings.reject(path, expected);
      rest = without(rest, path.slice(0, depth));
    }
  }
  return frontMatterSchema.parse(rest);
}

/** Each place once, however many rules its value breaks. */
function badPaths(issues: readonly z.core.$ZodIssue[]): readonly KeyPath[] {
  const paths = issues.flatMap(pathsOf);
  return [...new Map(paths.map((path) => [spellKey(path), path])).values()];
}

/** A list that may also be a text fails as both; the item that is wrong in the list says more. */
function pathsOf(issue: z.core.$ZodIssue): readonly KeyPath[] {
  const here = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code !== 'invalid_union') return [here];
  const below = issue.errors.flatMap((option) => option.flatMap(pathsOf));
  const deeper = below.filter((path) => path.length > 0);
  return deeper.length > 0 ? deeper.map((path) => [...here, ...path]) : [here];
}

function without(values: Values, [key = '', ...below]: KeyPath): Values {
  const {[key]: inner, ...others} = values;
  if (below.length === 0 || !isRecord(inner)) return others;
  return {...others, [key]: without(inner, below)};
}
