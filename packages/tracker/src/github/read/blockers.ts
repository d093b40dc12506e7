import type {BlockerRef} from '@symphony-supervisor/protocol';
import {TrackerProblem} from '../../answer.ts';
import {mapBounded} from '../../bounded.ts';
import type {GithubApi} from '../api.ts';
import {type Reading, toBlocker} from '../normalize.ts';
import {type GithubRecord, isMalformed, restRecord} from '../record.ts';
import {includes, stateOf} from '../state.ts';

/** Deleted meanwhile, or an older GitHub Enterprise Server without dependencies. */
const ABSENT = [404, 410];
const SIDE_BY_SIDE = 4;
/**
 * A single issue is read before its launch, so its blockers must be current; larger reads may use
 * cached ones.
 */
const FEW = 5;
/** A candidate list of the last ticks still shows whether there is a blocker at all. */
const FRESH_MS = 120_000;
const UNKNOWN: BlockerRef = {id: null, identifier: null, state: null};

/**
 * Issues that must be closed first. A list shows how many blockers are open, so they are requested
 * only where there are any. GitHub's published GraphQL schema has neither, so a read by numbers
 * uses this, too.
 */
export class Blockers {
  readonly #api: GithubApi;
  readonly #unstarted: readonly string[];
  readonly #counts = new Map<number, {readonly open: number; readonly at: number}>();

  constructor(api: GithubApi, unstartedStates: readonly string[]) {
    this.#api = api;
    this.#unstarted = unstartedStates;
  }

  /** What a list has just said. */
  note(records: readonly GithubRecord[]): void {
    const at = Date.now();
    for (const [number, count] of this.#counts) {
      if (at - count.at > FRESH_MS) this.#counts.delete(number);
    }
    for (const {number, openBlockers} of records) {
      if (openBlockers !== null) this.#counts.set(number, {open: openBlockers, at});
    }
  }

  /**
   * By number; an issue without an entry has none. `unknown`: while GitHub refuses requests, an
   * issue that may have blockers gets one of unknown state, so it is not started while the rest of
   * it can still be read.
   */
  async of(
    records: readonly GithubRecord[],
    reading: Reading,
    signal: AbortSignal,
    ifLimited: 'fail' | 'unknown' = 'fail',
  ): Promise<ReadonlyMap<number, readonly BlockerRef[]>> {
    const asked = records.filter((record) => this.#mayHave(record, records.length, reading));
    const found = await mapBounded(asked, SIDE_BY_SIDE, async ({number}) => {
      const path = `${this.#api.repoPath}/issues/${number}/dependencies/blocked_by?per_page=100`;
      const asking = this.#api
        .get(path, signal, ABSENT)
        .then(({status, value}) => (ABSENT.includes(status) ? [] : this.#read(value, reading)));
      return [number, await (ifLimited === 'fail' ? asking : asking.catch(unknown))] as const;
    });
    return new Map(found);
  }

  #mayHave(record: GithubRecord, howMany: number, {rules}: Reading): boolean {
    if (!record.isOpen) return false;
    if (record.openBlockers !== null) return record.openBlockers > 0;
    // Not used elsewhere.
    if (!includes(this.#unstarted, stateOf(record, rules))) return false;
    const known = this.#counts.get(record.number);
    const isFresh = known !== undefined && Date.now() - known.at <= FRESH_MS;
    return howMany <= FEW || !isFresh || known.open > 0;
  }

  #read(value: unknown, reading: Reading): BlockerRef[] {
    if (!Array.isArray(value)) {
      throw this.#api.problem('tracker_response', 'sent a response that is not a list of blockers');
    }
    return value.map((entry) => {
      const record = restRecord(entry, reading.name);
      // Dropping it would start work that should wait.
      return isMalformed(record) ? UNKNOWN : toBlocker(record, repositoryOf(entry), reading);
    });
  }
}

function unknown(error: unknown): BlockerRef[] {
  const isLimited =
    error instanceof TrackerProblem && error.failure.code === 'tracker_rate_limited';
  if (isLimited) return [UNKNOWN];
  throw error;
}

/** `owner/name` at the end of `https://api.github.com/repos/owner/name`. */
function repositoryOf(entry: unknown): string | null {
  const {repository_url: url} = entry as {repository_url?: unknown};
  return typeof url === 'string' ? (/\/repos\/([^/]+\/[^/]+)$/.exec(url)?.[1] ?? null) : null;
}
