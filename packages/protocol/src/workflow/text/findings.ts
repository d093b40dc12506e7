import type {SecretFile} from '../secrets/secret-file.ts';
import type {Complaint, ComplaintCode} from './complaint.ts';
import {type FrontMatter, isRecord} from './front-matter.ts';
import {isWithin, type KeyPath, spellKey} from './key-path.ts';

/** Everything found so far: a file is read to its end, and all errors are reported at once. */
export interface Findings {
  /** The value of this key is wrong; `expected` completes the sentence "give …". */
  reject(key: KeyPath, expected: string): void;
  error(code: ComplaintCode, key: KeyPath, message: string): void;
  warn(code: ComplaintCode, key: KeyPath, message: string): void;
  /** Whether no error was found so far. Checks that build on a wrong value would only repeat it. */
  isSound(key: KeyPath): boolean;
  /** For people: `agent.max_turns is 0`. */
  asGiven(key: KeyPath): string;
  /**
   * Files that the settings name; the caller checks them, because parsing does not touch the disk.
   */
  readonly secretFiles: SecretFile[];
  /** In the order of the file. */
  errors(): readonly Complaint[];
  warnings(): readonly Complaint[];
}

export function collectFindings(
  path: string,
  frontMatter: FrontMatter,
  hidden: readonly KeyPath[],
): Findings {
  const errors: Complaint[] = [];
  const warnings: Complaint[] = frontMatter.warnings.map((warning) => ({...warning, path}));
  const bad: KeyPath[] = [];

  const complaint = (code: ComplaintCode, key: KeyPath, message: string): Complaint => ({
    code,
    // Names of states and labels are quoted unchanged and may contain anything.
    message: message.replace(CONTROL, ' '),
    path,
    ...frontMatter.positionOf(key),
    ...(key.length > 0 && {key: spellKey(key)}),
  });
  const findings: Findings = {
    reject(key, expected) {
      findings.error('invalid_setting', key, `${findings.asGiven(key)}; give ${expected}`);
    },
    error(code, key, message) {
      errors.push(complaint(code, key, message));
      bad.push(key);
    },
    warn(code, key, message) {
      const warning = complaint(code, key, message);
      // A section that several roles use is checked for each of them.
      if (!warnings.some((other) => isSame(other, warning))) warnings.push(warning);
    },
    secretFiles: [],
    isSound: (key) => !bad.some((other) => isWithin(other, key) || isWithin(key, other)),
    asGiven(key) {
      const value = valueAt(frontMatter.value, key);
      // Also above a secret: an author who leaves out the map has written the secret in its place.
      const secret = hidden.some((other) => isWithin(key, other) || isWithin(other, key));
      return `${spellKey(key)} ${describeValue(value, secret)}`;
    },
    errors: () => errors.toSorted(byPosition),
    warnings: () => warnings.toSorted(byPosition),
  };
  return findings;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they would make one line into several
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** As much of a text as fits a line of output. */
const SHOWN_CHARACTERS = 60;

function describeValue(value: unknown, secret: boolean): string {
  if (value === undefined) return 'is missing';
  if (value === null) return 'is empty';
  if (Array.isArray(value)) return 'is a list';
  if (isRecord(value)) return 'is a map';
  if (secret) return 'is ***';
  if (typeof value !== 'string') return `is ${String(value)}`;
  const cut = value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value;
  return `is ${JSON.stringify(cut)}`;
}

function valueAt(top: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? Reflect.get(value, step)
        : undefined,
    top,
  );
}

function isSame(one: Complaint, other: Complaint): boolean {
  return one.key === other.key && one.message === other.message;
}

function byPosition(a: Complaint, b: Complaint): number {
  return a.line - b.line || a.column - b.column;
}
