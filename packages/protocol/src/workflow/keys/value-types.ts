import * as z from 'zod/mini';

/** A kind of value: what is taken, and how people are told of it (after the word "give"). */
export interface ValueType<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: S;
  readonly expects: string;
  /** For maps: a bad entry is left out with a warning, and the others count. */
  readonly forgiving?: true;
}

/** The longest delay that a timer of Node takes; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

export const count = wholeNumber(1);
export const limit = wholeNumber(0);
export const timeSpan = wholeNumber(1, MAX_TIMER_MS);
export const port = wholeNumber(0, 65_535);
export const anyInteger = wholeNumber(Number.MIN_SAFE_INTEGER);

export const words = z.string().check(z.regex(/\S/), z.trim());

export const text = {schema: words, expects: 'a text that is not blank'};

/** Never rewritten, not even trimmed: what it says is between its author and the shell. */
export const shellCommand = {
  schema: z.string().check(z.regex(/\S/)),
  expects: 'a shell command',
};

export const shellScript = {schema: z.string(), expects: 'a shell script as a text'};

export const filePath = {
  schema: words,
  expects: 'a path; "~", or a whole "$NAME" for a variable, may stand in it',
};

/** A project's name becomes a folder below the workspace root. */
export const projectName = {
  schema: z.string().check(z.trim(), z.regex(/^(?!\.{1,2}$)[^/\\]+$/)),
  expects: 'a text that is not blank, without slashes',
};

export const states = listOf(words, 'a list of state names, or one text with commas between them');
export const labels = listOf(z.string(), 'a list of labels, or one text with commas between them');
export const hostNames = listOf(words, 'a list of host names');
export const variableNames = listOf(
  z.string().check(z.regex(/^([A-Za-z_][A-Za-z0-9_]*|\*)$/)),
  'a list of names of variables, or "*" for all',
);

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

/** Digits in quotes count as a number: templates that fill in a workflow file often quote. */
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

/** Older files also write such a list as one text with commas. */
function listOf(item: z.ZodMiniString<string>, expects: string) {
  const joined = z.string().check(z.regex(/[^\s,]/));
  const split = z.transform((given: string | string[]) =>
    typeof given === 'string' ? given.split(',').flatMap((piece) => piece.trim() || []) : given,
  );
  return {schema: z.pipe(z.pipe(z.union([z.array(item), joined]), split), z.array(item)), expects};
}
