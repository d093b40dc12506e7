import {isScalar, isSeq, type Node, parse, Scalar} from 'yaml';
import {toList, toText} from '../../normalize.ts';
import type {IssueUpdate} from '../../update/update.ts';
import {commentSplice} from './comments.ts';
import {type FrontMatter, fieldOf, nodeOf} from './front-matter.ts';
import {type Splice, spliced} from './splice.ts';

/** The text with the changes applied and every other character unchanged. */
export function editedText(front: FrontMatter, changes: IssueUpdate, at: Date): string {
  const {state, labels, comment} = changes;
  const eol = front.text.includes('\r\n') ? '\r\n' : '\n';
  return spliced(front.text, [
    ...(state === undefined ? [] : [stateSplice(front, state)]),
    ...(labels === undefined ? [] : [labelsSplice(front, labels, eol)]),
    ...(comment === undefined
      ? []
      : [commentSplice(front.text, front.bodyStart, comment, at, eol)]),
  ]);
}

function stateSplice(front: FrontMatter, state: string): Splice {
  const node = nodeOf(front, 'state');
  return replacing(front, node, scalarText(state, isScalar(node) ? node.type : undefined));
}

function labelsSplice(front: FrontMatter, labels: readonly string[], eol: string): Splice {
  const node = nodeOf(front, 'labels');
  const items = asSpelled(front, labels).map((label) => scalarText(label));
  const list = `[${items.join(', ')}]`;
  if (node === undefined) {
    const text = `${indentOf(front, front.map)}labels: ${list}${eol}`;
    return {start: front.yamlEnd, end: front.yamlEnd, text};
  }
  if (!isSeq(node) || node.flow === true) return replacing(front, node, list);
  const indent = indentOf(front, node);
  // A bracket in the first column would end the map.
  if (items.length === 0) return replacing(front, node, indent === '' ? ' []' : '[]');
  return replacing(front, node, items.map((item) => `- ${item}`).join(`${eol}${indent}`));
}

/** Labels are compared in lower case, but keep their spelling in the file. */
function asSpelled(front: FrontMatter, labels: readonly string[]): string[] {
  const spellings = new Map(
    toList(fieldOf(front, 'labels'))
      .flatMap((entry) => toText(entry) ?? [])
      .map((label) => [label.toLowerCase(), label]),
  );
  return labels.map((label) => spellings.get(label) ?? label);
}

function replacing(front: FrontMatter, node: Node | undefined, text: string): Splice {
  // Only a node that was made rather than parsed has no place in the text.
  if (!node?.range) throw new RangeError('a value to replace must have been read from the text');
  const start = front.yamlStart + node.range[0];
  const end = front.yamlStart + node.range[1];
  if (start === end) return {start, end, text: apart(front.text, start, text)};
  // A block ends with its line break, which belongs to the line rather than to the value.
  const value = front.text.slice(start, end).trimEnd();
  return {start, end: start + value.length, text};
}

/**
 * Where there was no value: blanks that separate the new one from the colon before and a comment
 * after it.
 */
function apart(whole: string, place: number, text: string): string {
  const before = /\s/.test(whole[place - 1] ?? '') ? '' : ' ';
  const after = /\s/.test(whole[place] ?? '') ? '' : ' ';
  return `${before}${text}${after}`;
}

/** The blanks between the start of the line and the node. */
function indentOf(front: FrontMatter, node: Node): string {
  const start = front.yamlStart + (node.range?.[0] ?? 0);
  return ' '.repeat(start - (front.text.lastIndexOf('\n', start - 1) + 1));
}

/**
 * Keeps the quoting of the old value; plain only where plain text is unambiguous, also inside
 * brackets.
 */
function scalarText(value: string, type?: Scalar.Type): string {
  if (type === Scalar.QUOTE_SINGLE) return `'${value.replaceAll("'", "''")}'`;
  const isPlain = /^[\p{L}\p{N}]([\p{L}\p{N} _./-]*[\p{L}\p{N}])?$/u.test(value);
  if (type !== Scalar.QUOTE_DOUBLE && isPlain && parse(value) === value) return value;
  return JSON.stringify(value);
}
