import {type Document, isAlias, isMap, isNode, isScalar, isSeq, type LineCounter} from 'yaml';
import type {KeyPath} from './key-path.ts';

/** Counted from 1, in the workflow file. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const FILE_START: Position = {line: 1, column: 1};

/** The opening delimiter is the file's first line, so the YAML's own count is one short. */
const LINES_BEFORE = 1;

export function positionAt(offset: number, lines: LineCounter): Position {
  const {line, col} = lines.linePos(offset);
  return {line: line + LINES_BEFORE, column: col};
}

/** Follows the path as far as it exists: a missing key is reported where it would belong. */
export function locateKey(path: KeyPath, document: Document, lines: LineCounter): Position {
  let node: unknown = document.contents;
  let offset: number | null = null;
  for (const step of path) {
    const next = follow(step, isAlias(node) ? node.resolve(document) : node);
    if (next === null) break;
    ({node, offset} = next);
  }
  return offset === null ? FILE_START : positionAt(offset, lines);
}

function follow(step: string | number, node: unknown): {node: unknown; offset: number} | null {
  if (isMap(node)) {
    const pair = node.items.find(({key}) => isScalar(key) && key.value === step);
    return pair && isNode(pair.key) && pair.key.range
      ? {node: pair.value, offset: pair.key.range[0]}
      : null;
  }
  const item = isSeq(node) && typeof step === 'number' ? node.items[step] : null;
  return isNode(item) && item.range ? {node: item, offset: item.range[0]} : null;
}
