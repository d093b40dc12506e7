import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isScalar,
  type Node,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml';

// The YAML library trusts its input. This file bounds what a hostile file could exploit.

/** An issue needs two levels. */
const MAX_DEPTH = 20;
const MAX_ALIASES = 100;

/**
 * null: nested too deeply. The library composes recursively, and V8 aborts the process if it
 * compiles a regular expression on a full stack. The library's parser does not recurse, so the
 * depth is checked before composing.
 */
export function parseBounded(yaml: string): Document | null {
  const tokens = [...new Parser().parse(yaml)];
  if (isDeeperThan(MAX_DEPTH, tokens)) return null;
  // Unique keys: the library compares all pairs; `repeatedKey` is linear.
  const composer = new Composer({prettyErrors: false, logLevel: 'silent', uniqueKeys: false});
  const [document] = composer.compose(tokens, true, yaml.length);
  return document ?? null;
}

function isDeeperThan(depth: number, tokens: readonly CST.Token[]): boolean {
  let level = tokens;
  for (let above = 0; above <= depth; above++) {
    if (level.length === 0) return false;
    level = level.flatMap(childrenOf);
  }
  return level.length > 0;
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({key, value}) => [key, value].filter((child) => child != null));
}

/** The node that an alias refers to, or undefined; any other node is returned as it is. */
export type ResolveAlias = (node: unknown) => unknown;

/**
 * Resolves all aliases of a document in one walk; the library's `alias.resolve` walks the document
 * for each. Returns the problem as text if there are too many.
 */
export function boundedAliases(document: Document): ResolveAlias | string {
  const anchors = new Map<string, Node>();
  const targets = new Map<unknown, Node | undefined>();
  let aliases = 0;
  visit(document, {
    Node: (_key, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias: (_key, alias: Alias) => {
      aliases++;
      if (aliases > MAX_ALIASES) return visit.BREAK;
      // An anchor may be given again: an alias means the last one before it.
      targets.set(alias, anchors.get(alias.source));
      return undefined;
    },
  });
  if (aliases > MAX_ALIASES) return `the front matter has more than ${MAX_ALIASES} aliases`;
  return (node) => (targets.has(node) ? targets.get(node) : node);
}

/** The first repeated key; keys that are not scalars are ignored. */
export function repeatedKey(map: YAMLMap): Node | null {
  const seen = new Set<unknown>();
  for (const {key} of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) return key;
    seen.add(key.value);
  }
  return null;
}
