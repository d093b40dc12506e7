import {stateKey} from '@symphony-supervisor/protocol';
import {toText} from '../normalize.ts';

/** Linear's `IssueFilter`; a test validates ours against its schema. */
export type IssueFilter = Readonly<Record<string, unknown>>;

/** Which of Linear's issues are this project's. */
export interface Scope {
  readonly filters: readonly IssueFilter[];
  /** Of the project, in any spelling that people use; empty: the whole team. */
  readonly slugs: readonly string[];
  readonly teamKey: string | null;
  /** A user's id, `me`, or null for all users. */
  readonly assignee: string | null;
}

export function toScope(provider: Readonly<Record<string, unknown>>): Scope {
  const slug = toText(provider.project_slug);
  const team = toText(provider.team_key);
  const slugs = slug === null ? [] : slugIds(slug);
  return {
    slugs,
    teamKey: team,
    filters: [
      ...(slug === null ? [] : [{project: {slugId: {in: slugs}}}]),
      ...(team === null ? [] : [{team: {key: {eqIgnoreCase: team}}}]),
    ],
    assignee: toText(provider.assignee),
  };
}

/** A project's address has its name before the slug: people copy both. */
function slugIds(slug: string): readonly string[] {
  const [, last] = /-([0-9a-f]{12})$/.exec(slug) ?? [];
  return last === undefined ? [slug] : [slug, last];
}

/** Case and outer blanks of a state are ignored here, so the filter must ignore them, too. */
export function inStates(states: readonly string[]): IssueFilter {
  const names = [...new Set(states.map(stateKey))];
  return {state: {or: names.map((name) => ({name: {eqIgnoreCase: name}}))}};
}

export function withIds(ids: readonly string[]): IssueFilter {
  return {id: {in: [...ids]}};
}

const IDENTIFIER = /^([A-Za-z][A-Za-z0-9_]*)-(\d{1,9})$/;

/**
 * Linear has no filter for `ENG-12`, only for team and number. null: no identifier has Linear's
 * form.
 */
export function withIdentifiers(identifiers: readonly string[]): IssueFilter | null {
  const numbers = new Map<string, number[]>();
  for (const identifier of identifiers) {
    const [, key, number] = IDENTIFIER.exec(identifier) ?? [];
    if (key === undefined) continue;
    numbers.set(key, [...(numbers.get(key) ?? []), Number(number)]);
  }
  if (numbers.size === 0) return null;
  return {
    or: [...numbers].map(([key, list]) => ({team: {key: {eqIgnoreCase: key}}, number: {in: list}})),
  };
}
