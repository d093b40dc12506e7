import {type ClaimKey, claimKey, projectOf} from '../../core/claim.ts';
import type {State} from '../../core/state.ts';
import type {Store} from '../../store/index.ts';

/** The issue with a given identifier. */
export type Found<T> =
  | {readonly is: 'found'; readonly value: T}
  | {readonly is: 'unknown'}
  /** Several projects have this identifier: the caller has to name one. */
  | {readonly is: 'ambiguous'; readonly projects: readonly string[]};

/** Looks among claims, kept workspaces, candidates and history. `project` null: in every project. */
export function findIssue(
  state: State,
  store: Pick<Store, 'keysOf'>,
  identifier: string,
  project: string | null,
): Found<ClaimKey> {
  const keys = new Set<ClaimKey>([
    ...claimedAs(state, identifier),
    ...keptAs(state, identifier),
    ...waitingAs(state, identifier),
    ...store.keysOf(identifier),
  ]);
  const matching = [...keys].filter((key) => project === null || projectOf(key) === project);
  const [first] = matching;
  if (first === undefined) return {is: 'unknown'};
  const projects = [...new Set(matching.map(projectOf))];
  if (projects.length > 1) return {is: 'ambiguous', projects};
  // The identifier was reused for another issue: the claimed one is meant.
  const claimed = matching.find((key) => state.claims.has(key));
  return {is: 'found', value: claimed ?? first};
}

/** An exact match wins; otherwise case is ignored. */
function claimedAs({claims}: State, identifier: string): ClaimKey[] {
  const find = (isIt: (other: string) => boolean) =>
    [...claims].flatMap(([key, {issue}]) => (isIt(issue.identifier) ? [key] : []));
  const exact = find((other) => other === identifier);
  if (exact.length > 0) return exact;
  return find((other) => other.toLowerCase() === identifier.toLowerCase());
}

function keptAs({kept}: State, identifier: string): ClaimKey[] {
  const wanted = identifier.toLowerCase();
  return [...kept].flatMap(([key, workspaces]) =>
    workspaces.some(({issue}) => issue.identifier.toLowerCase() === wanted) ? [key] : [],
  );
}

function waitingAs({projects}: State, identifier: string): ClaimKey[] {
  const wanted = identifier.toLowerCase();
  return [...projects.values()].flatMap(({name, candidates}) =>
    candidates.flatMap((issue) =>
      issue.identifier.toLowerCase() === wanted ? [claimKey(name, issue.id)] : [],
    ),
  );
}
