import {frontMatterSchema} from './keys/schema.ts';
import {type Fields, type KeyNote, noteOf} from './keys/setting.ts';

/** A row of the table of keys in the docs. */
export interface KeyDescription {
  readonly key: string;
  /** In words; a dash where there is none. */
  readonly default: string;
  readonly description: string;
  readonly expects: string;
}

/** Every key of the front matter, in the order of the schema. */
export function describeKeys(): readonly KeyDescription[] {
  return describeFields([], frontMatterSchema.shape);
}

function describeFields(above: readonly string[], fields: Fields): readonly KeyDescription[] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    const note = noteOf(schema);
    if (!note) return [];
    const path = [...above, name];
    const fields = note.fields ?? noteOf(note.entry ?? undefined)?.fields;
    if (fields) return describeFields(note.entry ? [...path, '<name>'] : path, fields);
    const {description, expects} = note;
    return {key: path.join('.'), default: defaultOf(note), description, expects};
  });
}

function defaultOf({defaultText, fallback}: KeyNote): string {
  if (defaultText !== null) return defaultText;
  if (fallback === null) return '–';
  return typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
}
