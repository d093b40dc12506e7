import {nearest} from '../../nearest.ts';
import type {Findings} from '../text/findings.ts';
import {isRecord} from '../text/front-matter.ts';
import {type KeyPath, spellKey} from '../text/key-path.ts';
import {frontMatterSchema} from './schema.ts';
import {type Fields, type KeyNote, noteOf} from './setting.ts';

/** What is known about the deepest key on a path; a list's item is covered by its list. */
export function noteAt([first, second]: KeyPath): KeyNote | undefined {
  const fields: Fields = frontMatterSchema.shape;
  const top = noteOf(fields[String(first)]);
  return noteOf(top?.fields?.[String(second)]) ?? top;
}

/** Unknown keys never break a file, so that one for a newer version runs; but they may be slips. */
export function reportUnknownKeys(
  value: Readonly<Record<string, unknown>>,
  flatTrackerKeys: readonly string[],
  findings: Findings,
): void {
  reportUnknown([], value, Object.keys(frontMatterSchema.shape), findings);
  for (const [name, schema] of Object.entries(frontMatterSchema.shape)) {
    const {fields} = noteOf(schema) ?? {};
    const given = value[name];
    if (!fields || !isRecord(given)) continue;
    const known = Object.keys(fields);
    if (name === 'tracker') known.push(...flatTrackerKeys);
    reportUnknown([name], given, known, findings);
  }
}

export function reportUnknown(
  above: KeyPath,
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  findings: Findings,
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const path = [...above, key];
    const meant = nearest(key, known);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    findings.warn('unknown_key', path, `${spellKey(path)} is not a known key${hint}`);
  }
}
