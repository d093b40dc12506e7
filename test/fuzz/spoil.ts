import fc, {type Arbitrary} from 'fast-check';

type Path = readonly (string | number)[];

/** What nobody expects in the place of something else. */
const strange = fc.oneof(
  fc.jsonValue({maxDepth: 2}),
  fc.constantFrom(
    -1,
    0,
    1e308,
    2 ** 53,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'x'.repeat(5000),
  ),
  fc.constantFrom(null, true, [], {}, [null], {id: null}, [[[[[]]]]], {toString: 1, valueOf: 1}),
);

/** A sound value of JSON with a few things in it dropped, replaced, wrapped or doubled. */
export function spoiled(sounds: readonly unknown[]): Arbitrary<unknown> {
  const edit = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('drop', 'replace', 'wrap', 'double', 'add'),
    value: strange,
  });
  return fc
    .tuple(fc.constantFrom(...sounds), fc.array(edit, {minLength: 1, maxLength: 4}))
    .map(([sound, edits]) =>
      edits.reduce((value: unknown, {at, how, value: other}) => {
        const paths = pathsIn(value);
        const path = paths[at % paths.length] ?? [];
        return changed(value, path, (found) => {
          if (how === 'replace') return other;
          if (how === 'wrap') return [found];
          if (how === 'double') return Array.isArray(found) ? [...found, ...found] : found;
          if (how === 'add') return isRecord(found) ? {...found, surprise: other} : other;
          return undefined;
        });
      }, sound),
    );
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, child]) => pathsIn(child, [...path, key]));
  return [path, ...below];
}

function changed(
  value: unknown,
  [key, ...rest]: Path,
  change: (found: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    const next = changed(value[Number(key)], rest, change);
    return next === undefined ? value.toSpliced(Number(key), 1) : value.with(Number(key), next);
  }
  if (!isRecord(value)) return value;
  const {[key]: found, ...others} = value;
  const next = changed(found, rest, change);
  return next === undefined ? others : {...others, [key]: next};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
