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
  notes.set(schema, {description, expects, fallback, defaultText, forgiving, fields: null});
  return schema;
}

/** A map of settings. One without a value is as good as left out: its settings have their defaults. */
export function section<F extends Fields>(fields: F, description: string) {
  const map = z.object(fields);
  const orDefaults = z.transform(
    (given: z.output<typeof map> | null | undefined) => given ?? map.parse({}),
  );
  const schema = z.pipe(z.nullish(map), orDefaults);
  notes.set(schema, {
    description,
    expects: `a map of ${Object.keys(fields).join(', ')}`,
    fallback: null,
    defaultText: null,
    forgiving: false,
    fields,
  });
  return schema;
}
