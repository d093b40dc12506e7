import {markdownLines} from './markdown.ts';
import type {Splice} from './splice.ts';

const SECTION_LEVEL = 2;
const SECTION_TITLE = 'Comments';

/** The body of a file, split into description and comments. */
export interface Body {
  readonly description: string;
  /** The text under `## Comments`, or null. */
  readonly comments: string | null;
}

/**
 * Comments are not part of the description: otherwise every comment of an agent would look like a
 * new task to it. If several sections have that title, the last one is used.
 */
export function readBody(text: string, bodyStart: number): Body {
  const {section} = scan(text, bodyStart);
  if (section === null) return {description: text.slice(bodyStart), comments: null};
  const {start, contentStart, end} = section;
  return {
    description: text.slice(bodyStart, start) + text.slice(end),
    comments: text.slice(contentStart, end),
  };
}

/** Appends a comment to the section `## Comments`, which is created if absent. */
export function commentSplice(
  text: string,
  bodyStart: number,
  comment: string,
  at: Date,
  eol: string,
): Splice {
  const timestamp = at.toISOString().replace(/\.\d+Z$/, 'Z');
  const entry = `### ${timestamp}\n\n${asSectionText(comment)}\n`;
  const {section, openFence} = scan(text, bodyStart);
  const block = section === null ? `## ${SECTION_TITLE}\n\n${entry}` : entry;
  const place = section?.end ?? text.length;
  const before = text.slice(0, place);
  // Inside an unclosed code block the heading would be code.
  const isOpen = openFence !== null && place === text.length;
  const gap = isOpen ? `${before.endsWith('\n') ? '' : '\n'}${openFence}\n\n` : gapBefore(before);
  const spaced = `${gap}${block}${place < text.length ? '\n' : ''}`;
  return {start: place, end: place, text: spaced.replaceAll('\n', eol)};
}

interface Section {
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
}

/** The last section of that title, and the code block that is still open at the end of the text. */
function scan(
  text: string,
  bodyStart: number,
): {section: Section | null; openFence: string | null} {
  const sections: Section[] = [];
  let inside: Omit<Section, 'end'> | null = null;
  let open: string | null = null;
  for (const {heading, start, end, openFence} of markdownLines(text, bodyStart)) {
    open = openFence;
    if (heading === null || heading.level > SECTION_LEVEL) continue;
    if (inside !== null) sections.push({...inside, end: start});
    inside = isOurs(heading) ? {start, contentStart: end} : null;
  }
  if (inside !== null) sections.push({...inside, end: text.length});
  return {section: sections.at(-1) ?? null, openFence: open};
}

function isOurs({level, title}: {readonly level: number; readonly title: string}): boolean {
  return level === SECTION_LEVEL && title.toLowerCase() === SECTION_TITLE.toLowerCase();
}

/** One blank line, however the preceding text ends. */
function gapBefore(before: string): string {
  if (/\n[ \t]*\r?\n$/.test(before)) return '';
  return before.endsWith('\n') ? '\n' : '\n\n';
}

/**
 * Keeps a comment inside its entry: its headings are demoted, and an unclosed code block is closed.
 * Otherwise the next comment would land in the middle of this one.
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
