import fc, {type Arbitrary} from 'fast-check';

const SCRAPS = [
  ...['\n', '  ', ': ', '- ', '[', ']', '{', '}', '"', "'", '---\n', '---', '&a ', '*a', '<<: *a'],
  ...['~', 'null', '-1', '1e999', '\u0000', '\ufeff', '\r', '\t', '#', '|', '>', '```', '## ', '!'],
  ...[
    '{{',
    '}}',
    '{{{',
    '{%',
    '%}',
    '{% if ',
    '{% for i in (1..',
    '| ',
    '{{=<% %>=}}',
    '{{#',
    '{{/',
  ],
];

/** A sound text with slips in it: something lost, something too much, something of it twice. */
export function spoiledText(sounds: readonly string[]): Arbitrary<string> {
  const slip = fc.record({
    at: fc.nat(),
    drop: fc.nat(20),
    add: fc.oneof(
      fc.constantFrom(...SCRAPS),
      fc.string({maxLength: 6, unit: 'binary'}),
      fc.constantFrom(...SCRAPS).map((scrap) => scrap.repeat(200)),
    ),
    isTwice: fc.boolean(),
  });
  return fc
    .tuple(fc.constantFrom(...sounds), fc.array(slip, {minLength: 1, maxLength: 5}))
    .map(([sound, slips]) =>
      slips.reduce((text, {at, drop, add, isTwice}) => {
        const place = at % (text.length + 1);
        const rest = text.slice(place + drop);
        const again = isTwice ? text.slice(place, place + 40) : '';
        return text.slice(0, place) + add + again + rest;
      }, sound),
    );
}
