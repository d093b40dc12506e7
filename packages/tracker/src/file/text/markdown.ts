/** A line of Markdown, as far as its structure matters. */
export interface MarkdownLine {
  /** Without its line ending. */
  readonly text: string;
  /** Offset in the text that was read. */
  readonly start: number;
  /** Where the next line starts. */
  readonly end: number;
  readonly heading: {readonly level: number; readonly title: string} | null;
  /** The marker of the code block that is still open after this line, or null. */
  readonly openFence: string | null;
}

// No two parts of these can match the same characters, so neither backtracks: a line may be 1 MB long.
const HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/s;

/** Lines from an offset on. Text that looks like a heading inside a code block is not a heading. */
export function* markdownLines(text: string, from = 0): Generator<MarkdownLine> {
  let fence: string | null = null;
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, end).replace(/\r?\n$/, '');
    const [, marker = null, info = ''] = FENCE.exec(line) ?? [];
    const closes = fence !== null && marker?.startsWith(fence) === true && info.trim() === '';
    const [, hashes = '', title = ''] = (fence === null ? HEADING.exec(line) : null) ?? [];
    const heading = hashes === '' ? null : {level: hashes.length, title: withoutTail(title)};
    fence ??= marker;
    yield {text: line, start, end, heading, openFence: closes ? null : fence};
    if (closes) fence = null;
    start = end;
  }
}

/** Hashes at the end of a heading are decoration, if a blank stands before them. */
function withoutTail(title: string): string {
  const text = title.trim();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end === 0 || /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text;
}

export function firstHeading(text: string): string | null {
  for (const {heading} of markdownLines(text)) {
    if (heading !== null && heading.title !== '') return heading.title;
  }
  return null;
}
