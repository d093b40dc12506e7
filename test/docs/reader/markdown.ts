import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Block {
  readonly page: string;
  /** Of the opening fence, counted from 1. */
  readonly line: number;
  /** The word after the fence; empty if there is none. */
  readonly kind: string;
  readonly text: string;
  /** The nearest heading above. */
  readonly under: string;
}

export interface Span {
  readonly page: string;
  readonly line: number;
  readonly text: string;
}

export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** `code` in running text. */
  readonly spans: readonly Span[];
  /** Where links lead, as written. */
  readonly links: readonly Span[];
  readonly headings: readonly string[];
}

/** Every page for people who use or change the product; decisions are about what was, and stay as they are. */
export function allPages(): readonly Page[] {
  const below = readdirSync(join(ROOT, 'docs'), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.md') && !name.startsWith('adr/'))
    .map((name) => join('docs', name))
    .sort();
  return ['README.md', 'CONTRIBUTING.md', 'packages/orchestrator/README.md', ...below].map(
    readPage,
  );
}

export function readPage(path: string): Page {
  return parsePage(relative(ROOT, join(ROOT, path)), readFileSync(join(ROOT, path), 'utf8'));
}

/** One walk over the lines: inside a fence there is only the block, outside there is all the rest. */
export function parsePage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const spans: Span[] = [];
  const links: Span[] = [];
  const headings: string[] = [];
  let open: {fence: string; indent: number; kind: string; line: number; lines: string[]} | null =
    null;
  for (const [index, line] of text.split('\n').entries()) {
    const at = index + 1;
    const [, indent = '', fence, info = ''] = /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    if (open !== null) {
      if (fence !== undefined && info.trim() === '' && fence.length >= open.fence.length) {
        const under = headings.at(-1) ?? '';
        const {kind, lines} = open;
        blocks.push({page: path, line: open.line, kind, text: `${lines.join('\n')}\n`, under});
        open = null;
      } else open.lines.push(line.slice(open.indent));
      continue;
    }
    if (fence !== undefined) {
      open = {fence, indent: indent.length, kind: info.trim(), line: at, lines: []};
      continue;
    }
    const heading = /^#{1,6} +(.*?) *$/.exec(line)?.[1];
    if (heading !== undefined) headings.push(heading);
    for (const [, , code = ''] of line.matchAll(/(`+)(.+?)\1(?!`)/g)) {
      spans.push({page: path, line: at, text: code.trim()});
    }
    for (const [, target = ''] of line.replaceAll(/`[^`]*`/g, '`').matchAll(/\]\(([^)\s]+)\)/g)) {
      links.push({page: path, line: at, text: target});
    }
  }
  if (open !== null) throw new Error(`${path}:${open.line}: a code block is never closed`);
  return {path, text, blocks, spans, links, headings};
}

/** As GitHub makes them: lower case, punctuation gone, a dash for each blank, a number for twins. */
export function anchorsOf({headings}: Page): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of headings) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    let twin = anchor;
    for (let number = 1; anchors.has(twin); number++) twin = `${anchor}-${number}`;
    anchors.add(twin);
  }
  return anchors;
}

/** For messages: editors and terminals make a link of it. */
export function placeOf({page, line}: Pick<Block, 'page' | 'line'>): string {
  return `${page}:${line}`;
}
