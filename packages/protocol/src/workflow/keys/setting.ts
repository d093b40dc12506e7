import * as z from 'zod/mini';
import type {ValueType} from './value-types.ts';

/** Schemas by key, of the whole front matter or of one section. */
export type Fields = Readonly<Record<string, z.ZodMiniType>>;

/** What is said about a key, in complaints, in the JSON Schema and in the docs. */
export interface KeyNote {
  readonly description: string;
  readonly expects: string;
  readonly fallback: unknown;
  /** The default in words, where the value does not tell. */
  readonly defaultText: string | null;
  readonly forgiving: boolean;
  /** The keys below, for a section. */
  readonly fields: Fields | null;
  /** The schema of every value, for a map whose keys are names of the author's choice. */
  readonly entry: z.ZodMiniType | null;
  /** An unknown key below is an error: without it the others would mean something else. */
  readonly strict: boolean;
}

const notes = new WeakMap<z.core.$ZodType, KeyNote>();

/** Undefined for what is not a key of its own: the items of a list, the options of a union. */
export function noteOf(schema: z.core.$ZodType | undefined): KeyNote | undefined {
  return schema && notes.get(schema);
}

/** A key of the front matter. One without a value (null) counts as left out. */
export function setting<S extends z.ZodMiniType, const F>(
  type: ValueType<S>,
  fallback: F,
  description: string,
  defaultText: string | null = null,
) {
  const orFallback = z.transform(
    (given: z.output<S> | null | undefined): NonNullable<z.output<S>> | F => given ?? fallback,
  );
  const schema = z.pipe(z.nullish(type.schema), orFallback);
  const {expects, forgiving = false} = type;
  notes.set(schema, {...NOTHING_BELOW, description, expects, fallback, defaultText, forgiving});
  return schema;
}

const NOTHING_BELOW = {fields: null, entry: null, strict: false};
const NO_VALUE = {fallback: null, defaultText: null, forgiving: false};

/** A map of settings. One without a value is as good as left out: its settings have their defaults. */
export function section<F extends Fields>(fields: F, description: string) {
  const map = z.object(fields);
  const orDefaults = z.transform(
    (given: z.output<typeof map> | null | undefined) => given ?? map.parse({}),
  );
  const schema = z.pipe(z.nullish(map), orDefaults);
  notes.set(schema, {...NOTHING_BELOW, ...NO_VALUE, description, expects: mapOf(fields), fields});
  return schema;
}

/** A section that says something by being left out (null). Its keys limit each other, so each must be known. */
export function rule<F extends Fields>(fields: F, description: string) {
  const map = z.object(fields);
  const orNone = z.transform((given: z.output<typeof map> | null | undefined) => given ?? null);
  const schema = z.pipe(z.nullish(map), orNone);
  const note = {...NOTHING_BELOW, ...NO_VALUE, description, expects: mapOf(fields)};
  notes.set(schema, {...note, fields, strict: true});
  return schema;
}

/** A map from names of the author's choice to sections of one form. */
export function namedSections<F extends Fields>(fields: F, expects: string, description: string) {
  const entry = section(fields, description);
  const map = z.record(z.string(), entry);
  const orNone = z.transform((given: z.output<typeof map> | null | undefined) => given ?? {});
  const schema = z.pipe(z.nullish(map), orNone);
  notes.set(schema, {...NOTHING_BELOW, ...NO_VALUE, description, expects, entry});
  return schema;
}

function mapOf(fields: Fields): string {
  return `a map of ${Object.keys(fields).join(', ')}`;
}
