/** What stands where a secret stood. */
const MASK = '***';

/** Shorter values would be found everywhere, and hide more than they protect. */
const MIN_SECRET_LENGTH = 6;

/** Longer than any token, and short enough for a RegExp to go back over. */
const MAX = 16384;

/** Keys are random, `sk-fading-circle` is not. */
const HAS_DIGIT = '(?=[^\\s"\'\\\\0-9]{0,60}[0-9])';
const QUOTES = '["\'\\\\]{0,8}';
const HEADER = `(?:[Aa]uthorization|AUTHORIZATION)${QUOTES}\\s{0,4}[:=]\\s{0,4}${QUOTES}`;
const HEADER_VALUE = '[^\\s"\'\\\\,;)\\]}]';

/**
 * What secrets look like: first what stays readable, then what is masked. Lines are long and may be
 * hostile, so time must be linear: whatever can fail after it was read is short, or holds no place
 * where the same shape could begin anew. And most lines hold nothing, so every shape begins with
 * letters, which a RegExp finds fast; that they begin a word is asked afterwards.
 */
const SHAPES: readonly (readonly [kept: string, secret: string])[] = [
  [atStart('(?:lin_(?:api|oauth)_|gh[pousr]_)'), `[A-Za-z0-9]{16,${MAX}}`],
  [atStart('github_pat_'), `[A-Za-z0-9_]{16,${MAX}}`],
  [atStart('(?:sk-(?:ant-|proj-)?|sess-)'), `${HAS_DIGIT}[A-Za-z0-9_-]{16,${MAX}}`],
  [atStart('xox[abprs]-'), `${HAS_DIGIT}[A-Za-z0-9-]{10,${MAX}}`],
  [atStart('glpat-'), `[A-Za-z0-9_-]{16,${MAX}}`],
  [atStart('npm_'), `[A-Za-z0-9]{36,${MAX}}`],
  [atStart('A(?:KIA|SIA)'), '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  [atStart('AIza'), '[A-Za-z0-9_-]{35}'],
  // What a run's own tool server is asked with.
  [atStart('symphony_run_'), `[A-Za-z0-9]{16,${MAX}}`],
  // A JWT: two JSON objects and a signature.
  [atStart('eyJ', '\\w-'), `[\\w-]{8,${MAX}}\\.eyJ[\\w-]{8,${MAX}}\\.[\\w-]{0,${MAX}}`],
  [
    atStart('(?:[Bb]earer|BEARER) '),
    `(?:${HAS_DIGIT}[\\w.~+/=-]{6,${MAX}}|[\\w.~+/=-]{20,${MAX}})`,
  ],
  [`${HEADER}(?:[Bb]asic|[Bb]earer|[Tt]oken) `, `${HEADER_VALUE}{6,${MAX}}`],
  [HEADER, `${HAS_DIGIT}${HEADER_VALUE}{6,${MAX}}`],
  // `scheme://user:password@`
  [':\\\\?/\\\\?/[^\\s/:@"\'\\\\]{0,256}:', '[^\\s/@"\'\\\\]{1,1024}(?=@)'],
  [
    '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----',
    `(?:[\\w+/=\\s\\\\:,.]|-(?!----)){1,${MAX}}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?`,
  ],
];

/**
 * The prefix of a token that does not begin inside a word. What looks like a letter before it may
 * end an escape, as in the JSON text `"\nghp_…"`.
 */
function atStart(prefix: string, inWord = 'A-Za-z0-9'): string {
  const boundary = `(?:(?<![${inWord}])|(?<=\\\\[bfnrt])|(?<=\\\\u[0-9a-fA-F]{4}))`;
  return `${prefix}(?<=${boundary}${prefix})`;
}

export type Mask = (text: string) => string;

/**
 * Takes secrets out of text on its way to a log: the values given, and what looks like a token. JSON
 * stays JSON: only its strings are changed, so a secret that is a bare number in it is kept.
 */
export function createMask({values}: {readonly values: readonly string[]}): Mask {
  const shapes = [...literalShapes(values), ...SHAPES];
  const secret = new RegExp(shapes.map(([kept, gone]) => `(${kept})${gone}`).join('|'), 'g');
  // Only the group of the shape that matched holds something.
  const replacement = `${shapes.map((_, index) => `$${index + 1}`).join('')}${MASK}`;

  return function mask(text: string): string {
    // Nearly every line ends here, so nothing dearer comes first.
    if (text.search(secret) < 0) return text;
    return isJson(text) ? replaceStrings(text, mask) : text.replace(secret, replacement);
  };
}

/** Each value as it is, and as it looks inside a JSON string, or inside one that is inside another. */
function literalShapes(values: readonly string[]): (readonly [string, string])[] {
  const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);
  const literals = values
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .flatMap((value) => [value, escaped(value), escaped(escaped(value))])
    // Of two that begin alike the longer one must win, or its end would remain.
    .sort((a, b) => b.length - a.length)
    .map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return literals.length === 0 ? [] : [['', `(?:${[...new Set(literals)].join('|')})`]];
}

/** A bare number or word is rather text than JSON: in it there is nothing but the secret. */
function isJson(text: string): boolean {
  if (!/^\s*["{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const AUTHORIZATION = 'Authorization: ';

/** Masks what the strings of a JSON text mean, and leaves all else in it to the letter. */
function replaceStrings(json: string, mask: Mask): string {
  const parts: string[] = [];
  let done = 0;
  let isAuthorization = false;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', done)) {
    const between = json.slice(done, start);
    const end = endOfString(json, start);
    const raw = json.slice(start, end);
    // A header and its value are two strings here, but only together they say what they are.
    const label = isAuthorization && between.trim() === ':' ? AUTHORIZATION : '';
    const text = `${label}${JSON.parse(raw)}`;
    const masked = mask(text);
    parts.push(between, masked === text ? raw : JSON.stringify(masked.slice(label.length)));
    isAuthorization = /^"(?:proxy-)?authorization"$/i.test(raw);
    done = end;
  }
  return `${parts.join('')}${json.slice(done)}`;
}

/** Past the quote that ends the string: the next one with an even number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); ; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (json[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
}

const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN)$|SECRET|PASSWORD|CREDENTIAL/i;
/** Variables so named hold the path of a key as often as the key. */
const MAY_BE_PATH = /^(?!.*(?:SECRET|PASSWORD|TOKEN))/i;
const PATH = /^(?:~|\.{1,2})?\/|^[A-Za-z]:[\\/]/;
const ORDINARY = /^(?:[\d.,\s]*|true|false)$/i;

/** The values of an environment that must not be seen, as far as the names tell. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value.length < MIN_SECRET_LENGTH) return [];
    if (!SECRET_NAME.test(name) || ORDINARY.test(value)) return [];
    return MAY_BE_PATH.test(name) && PATH.test(value) ? [] : [value];
  });
}
