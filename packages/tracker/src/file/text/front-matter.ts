import {isMap, isScalar, isSeq, type Node, YAMLMap} from 'yaml';
import {boundedAliases, parseBounded, type ResolveAlias, repeatedKey} from './yaml-bounds.ts';

/** The parts of an issue file. All offsets refer to `text`. */
export interface FrontMatter {
  readonly text: string;
  readonly yamlStart: number;
  /** Where the closing `---` begins. */
  readonly yamlEnd: number;
  readonly bodyStart: number;
  readonly map: YAMLMap;
  readonly resolve: ResolveAlias;
}

/** Why a file is not an issue, and the line to look at. */
export interface Flaw {
  readonly line: number;
  readonly problem: string;
  /** What could still be read, to identify the issue. */
  readonly front: FrontMatter | null;
}

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /(?<=\n)---[ \t]*(?:\r?\n|$)/g;
/** More than is written by hand; the parser takes a fraction of a second at worst for this much. */
const MAX_YAML_BYTES = 16 * 1024;
const MAX_KEYS = 200;

export function readFrontMatter(text: string): FrontMatter | Flaw {
  const opening = OPENING.exec(text);
  if (opening === null) return flaw(1, 'expected front matter: a first line "---"');
  const yamlStart = opening[0].length;
  const closing = new RegExp(CLOSING);
  closing.lastIndex = yamlStart;
  const found = closing.exec(text);
  if (found === null) return flaw(1, 'the front matter is not closed by a line "---"');
  const yamlEnd = found.index;
  const yaml = text.slice(yamlStart, yamlEnd);
  if (Buffer.byteLength(yaml) > MAX_YAML_BYTES) {
    return flaw(1, 'the front matter is longer than 16 KB; long text belongs below it');
  }

  const document = parseBounded(yaml);
  if (document === null) return flaw(2, 'the front matter is nested too deeply');
  // Nothing between the delimiters is an empty map: the error will name the missing keys.
  const map = (document.contents ?? new YAMLMap()) as YAMLMap;
  if (!isMap(map)) return flaw(2, 'the front matter must be a map of keys and values');
  if (map.items.length > MAX_KEYS) {
    return flaw(2, `the front matter has more than ${MAX_KEYS} keys`);
  }
  const resolve = boundedAliases(document);
  if (typeof resolve === 'string') return flaw(2, resolve);
  const bodyStart = yamlEnd + found[0].length;
  const front = {text, yamlStart, yamlEnd, bodyStart, map, resolve};
  const [error] = document.errors;
  if (error !== undefined) return flawIn(front, error.pos[0], error.message);
  const repeated = repeatedKey(map);
  if (repeated === null) return front;
  return flawIn(front, repeated.range?.[0] ?? 0, `the key ${repeated} is not unique`);
}

function flawIn(front: FrontMatter, offset: number, problem: string): Flaw {
  return {line: lineAt(front.text, front.yamlStart + offset), problem, front};
}

function flaw(line: number, problem: string): Flaw {
  return {line, problem, front: null};
}

export function isFlaw(result: object): result is Flaw {
  return 'problem' in result;
}

/** The value of a key as written; undefined if the key is absent. */
export function nodeOf(front: FrontMatter, key: string): Node | undefined {
  const node = front.map.get(key, true) as Node | null | undefined;
  return node ?? undefined;
}

/** A key's value: text for any scalar, a list, null, or undefined if the key is absent. */
export function fieldOf(front: FrontMatter, key: string): unknown {
  const node = nodeOf(front, key);
  return node === undefined ? undefined : plain(node, front.resolve);
}

function plain(node: unknown, resolve: ResolveAlias): unknown {
  const resolved = resolve(node);
  if (isSeq(resolved)) return resolved.items.map((item) => itemOf(item, resolve));
  return isScalar(resolved) ? scalarOf(resolved) : resolved;
}

/** Lists of lists mean nothing to us, and one that contains itself would never end. */
function itemOf(item: unknown, resolve: ResolveAlias): unknown {
  const resolved = resolve(item);
  return isScalar(resolved) ? scalarOf(resolved) : {};
}

/** As written: YAML would turn `007` into 7, and identifiers look like that. */
function scalarOf({value, source}: {value: unknown; source?: string | undefined}): unknown {
  if (value === null || typeof value === 'string') return value;
  return source ?? String(value);
}

export function lineOf(front: FrontMatter, key: string): number {
  const offset = nodeOf(front, key)?.range?.[0];
  return offset === undefined ? 1 : lineAt(front.text, front.yamlStart + offset);
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
  }
  return line;
}
