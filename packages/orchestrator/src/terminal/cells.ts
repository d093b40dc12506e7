import {stripVTControlCharacters} from 'node:util';
import stringWidth from 'string-width';

// Text of agents and trackers for terminal cells: it must not move the cursor, ring the bell or
// change neighbouring cells.

const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** One line, without escape sequences, control bytes and marks that turn the direction of writing. */
export function clean(text: string): string {
  return (
    stripVTControlCharacters(text)
      .replace(/[\s\u2028\u2029]+/g, ' ')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that are removed
      .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
      .trim()
  );
}

/** In columns: an ideograph or an emoji takes two. */
export function width(text: string): number {
  return stringWidth(text);
}

export type Align = 'left' | 'right';

/** Text in exactly this many columns: cut with an ellipsis or padded with blanks. */
export function fit(text: string, columns: number, align: Align = 'left'): string {
  return place(clean(text), columns, align);
}

/** The same for text that is already clean; keeps its blanks. */
export function place(text: string, columns: number, align: Align = 'left'): string {
  if (columns <= 0) return '';
  const cut = truncate(text, columns);
  const blanks = ' '.repeat(Math.max(0, columns - width(cut)));
  return align === 'left' ? cut + blanks : blanks + cut;
}

function truncate(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const {segment} of graphemes.segment(text)) {
    const wide = width(segment);
    if (used + wide > columns - 1) break;
    kept += segment;
    used += wide;
  }
  return `${kept}…`;
}
