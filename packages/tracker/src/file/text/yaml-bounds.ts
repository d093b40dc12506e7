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

// The YAML library trusts its input. These are the parts of it that a hostile file can turn against us.

/** An issue needs two levels. */
const MAX_DEPTH = 20;
const MAX_ALIASES = 100;

/**
 * null: nested too deeply. The library composes by recursion, and a regular expression that V8 compiles on a
 * full stack ends the whole process. Its parser has no recursion, so the depth is known before.
 */
export function parseBounded(yaml: string): Document | null {
  const tokens = [...new Parser().parse(yaml)];
  if (isDeeperThan(MAX_DEPTH, tokens)) return null;
  // Unique keys: the library compares each with each other; `repeatedKey` does not.
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

/** The node that an alias stands for, undefined if there is none; any other node is itself. */
export type ResolveAlias = (node: unknown) => unknown;

/**
 * All aliases of a document, resolved in one walk: `alias.resolve` of the library walks the document for
 * each. The problem as text, if there are too many.
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

/** The first key that the map has already; keys that are no scalars mean nothing to us. */
export function repeatedKey(map: YAMLMap): Node | null {
  const seen = new Set<unknown>();
  for (const {key} of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) return key;
    seen.add(key.value);
  }
  return null;
}
