/** Counted from 1, in the template as it was written. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A trimmed template that still knows its position in the original text. */
export interface Source {
  readonly text: string;
  readonly start: Place;
}

export function sourceOf(template: string): Source {
  const text = template.trim();
  const blanks = template.slice(0, template.length - template.trimStart().length);
  return {text, start: endOf(blanks)};
}

/** The position of the character at `offset` of the trimmed text. */
export function placeAt(source: Source, offset: number): Place {
  return placeOf(source, endOf(source.text.slice(0, offset)));
}

/** A place in the trimmed text, as a place in the template. */
export function placeOf({start}: Source, {line, column}: Place): Place {
  return {
    line: start.line + line - 1,
    column: line === 1 ? start.column + column - 1 : column,
  };
}

function endOf(text: string): Place {
  const lines = text.split('\n');
  return {line: lines.length, column: (lines.at(-1) ?? '').length + 1};
}
