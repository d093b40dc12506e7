import * as z from 'zod/mini';
import {nearest} from '../../nearest.ts';
import {map, words} from '../../workflow/keys/value-types.ts';
import type {Findings} from '../../workflow/text/findings.ts';

/** The words of Codex 0.1xx. Another version may know more, so an unknown one is only a warning. */
export const CODEX_WORDS = {
  approval_policy: ['untrusted', 'on-request', 'never'],
  thread_sandbox: ['read-only', 'workspace-write', 'danger-full-access'],
} as const;

export const approvalPolicy = {
  schema: z.union([words, map.schema]),
  expects: 'one of Codex\'s own words, like "never", or its map',
};

export function checkCodexWords(
  given: Readonly<Record<keyof typeof CODEX_WORDS, unknown>>,
  findings: Findings,
): void {
  for (const name of ['approval_policy', 'thread_sandbox'] as const) {
    const word = given[name];
    const known: readonly string[] = CODEX_WORDS[name];
    if (typeof word !== 'string' || known.includes(word)) continue;
    const key = ['codex', name];
    const meant = nearest(word, known);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    const or = name === 'approval_policy' ? ' or {granular: …}' : '';
    const message = `${findings.asGiven(key)}, which Codex does not know; it knows ${known.join(', ')}${or}${hint}`;
    findings.warn('unknown_value', key, message);
  }
}
