import * as z from 'zod/mini';

/** A kind of value: its schema, and its description in messages (after the word "give"). */
export interface ValueType<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: S;
  readonly expects: string;
  /** For maps: an invalid entry is ignored with a warning; the others apply. */
  readonly forgiving?: true;
}

/** The longest delay of a Node timer; a longer one would fire immediately. */
const MAX_TIMER_MS = 2_147_483_647;

export const count = wholeNumber(1);
export const limit = wholeNumber(0);
export const timeSpan = wholeNumber(1, MAX_TIMER_MS);
export const port = wholeNumber(0, 65_535);
export const anyInteger = wholeNumber(Number.MIN_SAFE_INTEGER);

export const words = z.string().check(z.regex(/\S/), z.trim());

export const text = {schema: words, expects: 'a non-blank string'};

/** Never rewritten, not even trimmed: only the shell interprets it. */
export const shellCommand = {
  schema: z.string().check(z.regex(/\S/)),
  expects: 'a shell command',
};

export const shellScript = {schema: z.string(), expects: 'a shell script'};

export const filePath = {
  schema: words,
  expects: 'a path, which may begin with "~" or be "$NAME" for a variable',
};

/** A project's name becomes a folder below the workspace root. */
export const projectName = {
  schema: z.string().check(z.trim(), z.regex(/^(?!\.{1,2}$)[^/\\]+$/)),
  expects: 'a non-blank string without slashes',
};

export const states = listOf(words, 'a list or a comma-separated string of state names');
export const labels = listOf(z.string(), 'a list or a comma-separated string of labels');
export const titles = oneOrMore(words, 'a string or a list of strings');
export const priorities = oneOrMore(wholeNumber(0).schema, 'a priority or a list of priorities');
export const hostNames = listOf(words, 'a list of host names');
export const variableNames = listOf(
  z.string().check(z.regex(/^([A-Za-z_][A-Za-z0-9_]*|\*)$/)),
  'a list of variable names, or "*" for all',
);

/** In a rule's own parentheses a comma is part of the rule, so only a list is taken. */
export const toolRules = {schema: z.array(words), expects: 'a list of tools or rules for tools'};

export const yesOrNo = {schema: z.boolean(), expects: 'true or false'};

export const map = {schema: z.record(z.string(), z.unknown()), expects: 'a map'};

export const countByState = {
  schema: z.record(z.string().check(z.regex(/\S/)), count.schema),
  expects: `a map from state names to numbers, each ${count.expects}`,
  forgiving: true,
} as const;

export function oneOf<const W extends readonly string[]>(...allowed: W) {
  return {
    schema: z.enum(allowed),
    expects: allowed.map((word) => `"${word}"`).join(' or '),
  };
}

/** Digits in quotes count as a number: templates that generate a workflow file often quote. */
function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  const number = z.int().check(z.minimum(min), z.maximum(max));
  const digits = z.string().check(z.regex(min < 0 ? /^-?\d+$/ : /^\d+$/));
  return {
    schema: z.pipe(z.pipe(z.union([number, digits]), z.transform(Number)), number),
    expects: `a whole number${rangeOf(min, max)}`,
  };
}

function rangeOf(min: number, max: number): string {
  if (max < Number.MAX_SAFE_INTEGER) return ` from ${min} to ${max}`;
  return min > Number.MIN_SAFE_INTEGER ? ` of at least ${min}` : '';
}

/** For values that may contain commas, or are no strings. */
function oneOrMore<S extends z.ZodMiniType>(item: S, expects: string) {
  const alone = z.pipe(
    item,
    z.transform((given: z.output<S>): z.output<S>[] => [given]),
  );
  return {schema: z.union([z.array(item), alone]), expects};
}

/** Older files also write such a list as a comma-separated string. */
function listOf(item: z.ZodMiniString<string>, expects: string) {
  const joined = z.string().check(z.regex(/[^\s,]/));
  const split = z.transform((given: string | string[]) =>
    typeof given === 'string' ? given.split(',').flatMap((piece) => piece.trim() || []) : given,
  );
  return {schema: z.pipe(z.pipe(z.union([z.array(item), joined]), split), z.array(item)), expects};
}
