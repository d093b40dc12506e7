import {dirname, join, resolve} from 'node:path';
import type {FileContext} from '../context.ts';
import type {ComplaintCode} from '../text/complaint.ts';
import type {Findings} from '../text/findings.ts';
import {type KeyPath, spellKey} from '../text/key-path.ts';

/** The variable that a value refers to, if it is nothing but `$NAME`. */
export function variableIn(value: string): string | null {
  return /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value.trim())?.[1] ?? null;
}

/** Set and not empty, as in the shell's `${X:?}`. */
export function isSet(name: string, {env}: FileContext): boolean {
  return Boolean(Object.hasOwn(env, name) && env[name]);
}

export function reportUnset(
  code: ComplaintCode,
  name: string,
  key: KeyPath,
  findings: Findings,
): void {
  const message = `${spellKey(key)} is $${name}, but that variable is not set; set ${name}`;
  findings.error(code, key, message);
}

/** `$HOME/work` or `${KEY}` is taken literally, which is seldom intended. */
export function warnOfPartVariable(given: string, key: KeyPath, findings: Findings): void {
  if (!given.startsWith('$') || variableIn(given) !== null) return;
  const rule = 'a variable is read only if $NAME is the whole value';
  findings.warn('unread_variable', key, `${findings.asGiven(key)}; ${rule}`);
}

/** Absolute and normalized; null if it names an unset variable, which is reported. */
export function resolvePath(
  given: string,
  key: KeyPath,
  context: FileContext,
  findings: Findings,
): string | null {
  warnOfPartVariable(given, key, findings);
  const name = variableIn(given);
  if (name !== null && !isSet(name, context)) {
    reportUnset('missing_variable', name, key, findings);
    return null;
  }
  const path = name === null ? given : String(context.env[name]);
  return resolve(dirname(context.path), expandHome(path, context.homeDir));
}

function expandHome(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') ? join(homeDir, path.slice(1)) : path;
}
