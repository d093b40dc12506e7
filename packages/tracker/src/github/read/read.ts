import {
  type BlockerRef,
  type Issue,
  sameState,
  stateKey,
  type TrackerSettings,
} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {type Answered, TrackerProblem, type TrackerWarning} from '../../answer.ts';
import {authorRule} from '../../authors.ts';
import {type MalformedRecord, type Records, selectByStates, warningsOf} from '../../records.ts';
import type {GithubApi} from '../api.ts';
import {type Reading, toGithubIssue} from '../normalize.ts';
import {openStatuses} from '../project/project.ts';
import type {GithubProvider} from '../provider.ts';
import {type GithubRecord, isMalformed, isPullRequest, restRecord} from '../record.ts';
import {CLOSED, includes, labelOf, OPEN, type StateRules} from '../state.ts';
import {Blockers} from './blockers.ts';
import {readByNumbers} from './by-numbers.ts';
import {listLatelyClosed, listOpen} from './pages.ts';

export interface FoundRecord {
  readonly record: GithubRecord;
  /** The issue that this record, or what a write made of it, stands for. */
  readonly toIssue: (record: GithubRecord, blockers: readonly BlockerRef[]) => Issue;
}

/** Reads issues: lists over REST, where unchanged answers are free, and numbers over GraphQL. */
export class GithubReader {
  readonly rules: StateRules;
  readonly #api: GithubApi;
  readonly #provider: GithubProvider;
  readonly #blockers: Blockers;

  constructor(api: GithubApi, provider: GithubProvider, settings: TrackerSettings) {
    const {activeStates, terminalStates, unstartedStates} = settings;
    this.rules = {stateLabels: provider.stateLabels, activeStates, terminalStates};
    this.#api = api;
    this.#provider = provider;
    this.#blockers = new Blockers(api, unstartedStates);
  }

  async byStates(states: readonly string[], signal: AbortSignal): Promise<Answered<Issue[]>> {
    const reading = this.#reading(await this.#isPrivate(signal));
    const listed = await this.#list(states, signal);
    const records = await this.#withStatuses(listed.records, signal);
    this.#blockers.note(records);
    const wanted = new Set(states.map(stateKey));
    const candidates = records.filter((record) => {
      const {state} = toGithubIssue(record, [], reading);
      return wanted.has(stateKey(state));
    });
    const blockers = await this.#blockers.of(candidates, reading, signal);
    const issues = candidates.map((record) =>
      toGithubIssue(record, blockers.get(record.number) ?? [], reading),
    );
    return selectByStates({issues, malformed: listed.malformed}, states);
  }

  /** Every open issue in any state; without its blockers. */
  async openIssues(
    signal: AbortSignal,
  ): Promise<{issues: Issue[]; warnings: readonly TrackerWarning[]}> {
    const pages = await listOpen(this.#api, null, signal);
    const issues = pages.filter((value) => !isPullRequest(value));
    const {records, malformed} = sorted(
      issues.map((value) => restRecord(value, this.#provider.name)),
    );
    const reading = this.#reading(false);
    const known = await this.#withStatuses(records, signal);
    return {
      issues: known.map((record) => toGithubIssue(record, [], reading)),
      warnings: warningsOf(malformed),
    };
  }

  async byNumbers(
    numbers: readonly number[],
    signal: AbortSignal,
    withBlockers = true,
  ): Promise<Records> {
    const found = await readByNumbers(this.#api, this.#provider, numbers, signal);
    const reading = this.#reading(found.isPrivate);
    const {records, malformed} = sorted(found.records);
    const blockers = await this.#blockers.of(
      withBlockers ? records : [],
      reading,
      signal,
      'unknown',
    );
    const issues = records.map((record) =>
      toGithubIssue(record, blockers.get(record.number) ?? [], reading),
    );
    return {issues, malformed};
  }

  /** The current record, read just before a write. */
  async one(number: number, signal: AbortSignal): Promise<FoundRecord | null> {
    const found = await readByNumbers(this.#api, this.#provider, [number], signal);
    const [record] = found.records;
    if (record === undefined) return null;
    if (isMalformed(record)) {
      throw new TrackerProblem({code: 'tracker_response', message: record.problem});
    }
    const reading = this.#reading(found.isPrivate);
    return {record, toIssue: (changed, blockers) => toGithubIssue(changed, blockers, reading)};
  }

  #reading(isPrivate: boolean): Reading {
    const {owner, name, allowedAuthors} = this.#provider;
    return {owner, name, rules: this.rules, isAllowed: authorRule(allowedAuthors, isPrivate)};
  }

  /** Requested each time because a repository can be made public; unchanged answers are free. */
  async #isPrivate(signal: AbortSignal): Promise<boolean> {
    if (this.#provider.allowedAuthors !== null) return false;
    const {value} = await this.#api.get(this.#api.repoPath, signal);
    const parsed = z.object({private: z.boolean()}).safeParse(value);
    if (parsed.success) return parsed.data.private;
    throw this.#api.problem(
      'tracker_response',
      'does not report whether the repository is private',
    );
  }

  async #list(states: readonly string[], signal: AbortSignal) {
    const pages: unknown[] = [];
    for (const label of this.#openLists(states))
      pages.push(...(await listOpen(this.#api, label, signal)));
    if (states.some((state) => includes(this.rules.terminalStates, state))) {
      pages.push(...(await listLatelyClosed(this.#api, signal)));
    }
    const issues = pages.filter((value) => !isPullRequest(value));
    return sorted(issues.map((value) => restRecord(value, this.#provider.name)));
  }

  /**
   * The labels whose lists contain every open issue in one of the states; null is the list of all.
   */
  #openLists(states: readonly string[]): readonly (string | null)[] {
    const isInProject = this.#provider.project !== null;
    if (isInProject && states.some((state) => !sameState(state, CLOSED))) return [null];
    if (includes(states, OPEN)) return [null];
    return states.flatMap((state) => labelOf(state, this.rules) ?? []);
  }

  /** An issue opened between the two lists is read at the next tick. */
  async #withStatuses(records: readonly GithubRecord[], signal: AbortSignal) {
    const {project} = this.#provider;
    if (project === null || !records.some(({isOpen}) => isOpen)) return records;
    const statuses = await openStatuses(this.#api, this.#provider, project, signal);
    return records.flatMap((record): readonly GithubRecord[] => {
      if (!record.isOpen) return [record];
      const status = statuses.get(record.number);
      return status === undefined ? [] : [{...record, status}];
    });
  }
}

/** Each number once: an issue with two labels is in two lists. */
function sorted(found: readonly (GithubRecord | MalformedRecord)[]): {
  readonly records: readonly GithubRecord[];
  readonly malformed: readonly MalformedRecord[];
} {
  const records = new Map<number, GithubRecord>();
  const malformed: MalformedRecord[] = [];
  for (const one of found) {
    if (isMalformed(one)) malformed.push(one);
    else if (!records.has(one.number)) records.set(one.number, one);
  }
  return {records: [...records.values()], malformed};
}
