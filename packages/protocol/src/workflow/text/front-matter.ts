import {isNode, LineCounter, parseDocument, type YAMLParseError} from 'yaml';
import type {ComplaintCode} from './complaint.ts';
import type {KeyPath} from './key-path.ts';
import {FILE_START, locateKey, type Position, positionAt} from './position.ts';

/** The front matter as plain data, with the position of each key. */
export interface FrontMatter {
  readonly value: Readonly<Record<string, unknown>>;
  readonly warnings: readonly YamlProblem[];
  /** Of the key, or of its nearest existing ancestor. */
  positionOf(path: KeyPath): Position;
}

export interface YamlProblem extends Position {
  readonly code: ComplaintCode;
  readonly message: string;
}

export type FrontMatterReading =
  | {readonly ok: true; readonly frontMatter: FrontMatter}
  | {readonly ok: false; readonly problems: readonly YamlProblem[]};

/** Enough for any honest file; a "billion laughs" file is refused before it is expanded. */
const MAX_ALIASES = 100;

export function readFrontMatter(yaml: string): FrontMatterReading {
  try {
    return readYaml(yaml);
  } catch (error) {
    // Too many aliases, an alias without anchor, or lists nested until the stack is full: the
    // library throws these without a position.
    const message = error instanceof Error ? error.message : String(error);
    return {ok: false, problems: [{...FILE_START, ...notYaml(message)}]};
  }
}

function readYaml(yaml: string): FrontMatterReading {
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    lineCounter: lines,
    // They quote the line, and the line may contain a secret.
    prettyErrors: false,
    logLevel: 'silent',
    stringKeys: true,
    merge: true,
  });
  const problems = upToLost(document.errors).map(({pos, message}) => ({
    ...positionAt(pos[0], lines),
    ...notYaml(message),
  }));
  if (problems.length > 0) return {ok: false, problems};

  const value: unknown = document.toJS({maxAliasCount: MAX_ALIASES}) ?? {};
  // An anchor may contain an alias of itself. Later code expects no cycles, and this throws on one.
  JSON.stringify(value);
  if (!isRecord(value)) {
    const {contents} = document;
    const start = (isNode(contents) && contents.range?.[0]) || 0;
    return {ok: false, problems: [{...positionAt(start, lines), ...NOT_A_MAP}]};
  }
  const warnings = document.warnings.map(({pos, message}) => ({
    ...positionAt(pos[0], lines),
    code: 'yaml_warning' as const,
    message: withoutQuotes(message),
  }));
  const positionOf = (path: KeyPath) => locateKey(path, document, lines);
  return {ok: true, frontMatter: {value, warnings, positionOf}};
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NOT_A_MAP = {
  code: 'workflow_front_matter_not_a_map',
  message: 'the front matter is not a map; give lines of the form "key: value"',
} as const;

function notYaml(message: string) {
  return {
    code: 'workflow_parse_error',
    message: `the front matter is not valid YAML: ${withoutQuotes(message)}`,
  } as const;
}

/** After a token that it cannot place, the parser reports everything that follows. */
function upToLost(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const lost = errors.findIndex(({code}) => code === 'UNEXPECTED_TOKEN');
  return lost === -1 ? errors : errors.slice(0, lost + 1);
}

/** Some messages end with a colon and a piece of the source, which may be a secret. */
function withoutQuotes(message: string): string {
  return message.replace(/(?<=\S): .*$/s, '');
}
