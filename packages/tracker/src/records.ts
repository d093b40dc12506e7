import {type Issue, stateKey} from '@symphony-supervisor/protocol';
import {type Answered, answer, TrackerProblem, type TrackerWarning} from './answer.ts';
import {countStates, type Survey} from './survey.ts';

/** A record that exists, but is not a valid issue. */
export interface MalformedRecord {
  /** Where and why, for the person who can correct it. */
  readonly problem: string;
  /** The ids and identifiers that it has, had, or would have once corrected. */
  readonly ids: readonly string[];
  readonly identifiers: readonly string[];
}

/** The result of an adapter that reads its whole tracker at once. */
export interface Records {
  readonly issues: readonly Issue[];
  readonly malformed: readonly MalformedRecord[];
}

export function selectByStates(records: Records, states: readonly string[]): Answered<Issue[]> {
  const wanted = new Set(states.map(stateKey));
  const issues = records.issues.filter(({state}) => wanted.has(stateKey(state)));
  return answer(issues, warningsOf(records.malformed));
}

export function selectByIds(records: Records, ids: readonly string[]): Answered<Issue[]> {
  const wanted = new Set(ids);
  const issues = records.issues.filter(({id}) => wanted.delete(id));
  const unread = records.malformed.find((record) => record.ids.some((id) => wanted.has(id)));
  if (unread === undefined) return answer(issues);
  throw new TrackerProblem({code: 'tracker_response', message: unread.problem});
}

export function selectByIdentifiers(
  records: Records,
  identifiers: readonly string[],
): Answered<Issue[]> {
  const wanted = new Set(identifiers);
  const issues = records.issues.filter(({identifier}) => wanted.has(identifier));
  const unread = records.malformed.filter((record) =>
    record.identifiers.some((identifier) => wanted.has(identifier)),
  );
  return answer(issues, warningsOf(unread));
}

/** For a tracker that is read as a whole, where any text is a state and any label exists. */
export function surveyOf(found: string, records: Records): Answered<Survey> {
  const counts = countStates(records.issues);
  const rest = {others: [], states: null, isPartial: false, missingLabels: []};
  return answer({found, counts, ...rest}, warningsOf(records.malformed));
}

export interface NamedIssue {
  readonly where: string;
  readonly issue: Issue;
}

/** If two records claim a name, the earlier one keeps it and the later one is malformed. */
export function separateTwins<T extends NamedIssue>(
  named: readonly T[],
): {readonly kept: readonly T[]; readonly malformed: readonly MalformedRecord[]} {
  const ids = new Map<string, string>();
  const identifiers = new Map<string, string>();
  const kept: T[] = [];
  const malformed: MalformedRecord[] = [];
  for (const one of named) {
    const {
      where,
      issue: {id, identifier},
    } = one;
    const twinById = ids.get(id);
    const twin = twinById ?? identifiers.get(identifier);
    if (twin === undefined) {
      ids.set(id, where);
      identifiers.set(identifier, where);
      kept.push(one);
      continue;
    }
    const shared = twinById === undefined ? `identifier "${identifier}"` : `id "${id}"`;
    const problem = `${where}: the ${shared} is already used by ${twin}`;
    malformed.push({problem, ids: [id], identifiers: [identifier]});
  }
  return {kept, malformed};
}

/** Enough to see what is wrong; a folder full of foreign files must not flood the log. */
const EXAMPLES = 10;

export function warningsOf(malformed: readonly MalformedRecord[]): TrackerWarning[] {
  if (malformed.length === 0) return [];
  const examples = malformed.slice(0, EXAMPLES).map(({problem}) => problem);
  return [{code: 'malformed_records', count: malformed.length, examples}];
}
