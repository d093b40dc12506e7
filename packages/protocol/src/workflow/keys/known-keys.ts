import {nearest} from '../../nearest.ts';
import type {Findings} from '../text/findings.ts';
import {isRecord} from '../text/front-matter.ts';
import {type KeyPath, spellKey} from '../text/key-path.ts';
import {frontMatterSchema} from './schema.ts';
import {type Fields, type KeyNote, noteOf} from './setting.ts';

/** The deepest key on a path that something is known about; a list's item is covered by its list. */
export interface KnownKey {
  readonly note: KeyNote | undefined;
  /** How many steps of the path lead to it. */
  readonly depth: number;
}

export function keyAt(path: KeyPath): KnownKey {
  let found: KnownKey = {note: undefined, depth: 0};
  for (const step of path) {
    const {note: above, depth} = found;
    const fields: Fields = above === undefined ? frontMatterSchema.shape : (above.fields ?? {});
    const note = noteOf(above?.entry ?? fields[String(step)]);
    if (note === undefined) break;
    found = {note, depth: depth + 1};
  }
  return found;
}

/** Unknown keys never break a file, so that one for a newer version runs; but they may be slips. */
export function reportUnknownKeys(
  value: Readonly<Record<string, unknown>>,
  flatTrackerKeys: readonly string[],
  findings: Findings,
): void {
  reportUnknown([], value, Object.keys(frontMatterSchema.shape), findings);
  for (const [name, schema] of Object.entries(frontMatterSchema.shape)) {
    const more = name === 'tracker' ? flatTrackerKeys : [];
    reportBelow([name], value[name], noteOf(schema), findings, more);
  }
}

function reportBelow(
  path: KeyPath,
  given: unknown,
  note: KeyNote | undefined,
  findings: Findings,
  more: readonly string[] = [],
): void {
  if (!isRecord(given) || note === undefined) return;
  if (note.entry !== null) {
    for (const [name, one] of Object.entries(given)) {
      reportBelow([...path, name], one, noteOf(note.entry), findings);
    }
  }
  if (note.fields === null) return;
  const isStrict = note.strict;
  reportUnknown(path, given, [...Object.keys(note.fields), ...more], findings, isStrict);
  for (const [name, schema] of Object.entries(note.fields)) {
    reportBelow([...path, name], given[name], noteOf(schema), findings);
  }
}

export function reportUnknown(
  above: KeyPath,
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  findings: Findings,
  isStrict = false,
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const path = [...above, key];
    const meant = nearest(key, known);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    const message = `${spellKey(path)} is not a known key${hint}`;
    if (isStrict) findings.error('invalid_setting', path, message);
    else findings.warn('unknown_key', path, message);
  }
}
