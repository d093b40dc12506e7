import {markdownLines} from './markdown.ts';
import type {Splice} from './splice.ts';

const SECTION_LEVEL = 2;
const SECTION_TITLE = 'Comments';

/** Adds a comment to the end of the section `## Comments`, which it creates where there is none. */
export function commentSplice(
  text: string,
  bodyStart: number,
  comment: string,
  at: Date,
  eol: string,
): Splice {
  const timestamp = at.toISOString().replace(/\.\d+Z$/, 'Z');
  const entry = `### ${timestamp}\n\n${asSectionText(comment)}\n`;
  const end = endOfSection(text, bodyStart);
  const block = end === null ? `## ${SECTION_TITLE}\n\n${entry}` : entry;
  const place = end ?? text.length;
  const spaced = `${gapBefore(text.slice(0, place))}${block}${place < text.length ? '\n' : ''}`;
  return {start: place, end: place, text: spaced.replaceAll('\n', eol)};
}

/** Where the last such section ends; null if there is none. */
function endOfSection(text: string, bodyStart: number): number | null {
  let end: number | null = null;
  let inside = false;
  for (const {heading, start} of markdownLines(text, bodyStart)) {
    if (heading === null || heading.level > SECTION_LEVEL) continue;
    if (inside) end = start;
    inside =
      heading.level === SECTION_LEVEL &&
      heading.title.toLowerCase() === SECTION_TITLE.toLowerCase();
  }
  return inside ? text.length : end;
}

/** One blank line, whatever the text before it ends with. */
function gapBefore(before: string): string {
  if (/\n[ \t]*\r?\n$/.test(before)) return '';
  return before.endsWith('\n') ? '\n' : '\n\n';
}

/**
 * A comment must stay inside its entry: its headings go below ours, and a code block that it leaves
 * open is closed. Else the next comment would land in the middle of this one.
 */
function asSectionText(comment: string): string {
  const lines: string[] = [];
  let open: string | null = null;
  for (const {text, heading, openFence} of markdownLines(comment.trim().replaceAll('\r\n', '\n'))) {
    lines.push(heading === null ? text : text.replace(/#+/, (hashes) => deeper(hashes)));
    open = openFence;
  }
  return [...lines, ...(open === null ? [] : [open])].join('\n');
}

function deeper(hashes: string): string {
  return '#'.repeat(Math.min(6, hashes.length + 3));
}
