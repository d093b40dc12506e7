import type {Issue} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {mapBounded} from '../bounded.ts';
import type {MalformedRecord, Records} from '../records.ts';
import type {LinearApi} from './api.ts';
import {toLinearIssue} from './normalize.ts';
import {allPages, Connection} from './pages.ts';
import {DEPTHS, type Depth, ISSUES} from './queries.ts';
import {type IssueFilter, withIds} from './scope.ts';

const IssuesAnswer = z.object({issues: Connection});

/** Batches in flight; they share a rate limit with everything else. */
const AT_ONCE = 2;

export interface ReadOptions {
  /** All of these must match. */
  readonly filters: readonly IssueFilter[];
  /** Finished issues are archived after a while and still count. */
  readonly archived: boolean;
  readonly assigneeId: string | null;
  /** The most there can be, if known: Linear charges for the requested page size. */
  readonly most?: number;
}

/** Every matching issue once with complete lists, and the records that could not be read. */
export async function readIssues(
  api: LinearApi,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<Records> {
  const [first, ...deeper] = DEPTHS;
  let {issues, malformed, incomplete} = await readAt(api, first, options, signal);
  for (const depth of deeper) {
    if (incomplete.length === 0) break;
    const batches = batchesOf(incomplete, depth.issues);
    const again = await mapBounded(batches, AT_ONCE, (ids) =>
      readAt(api, depth, narrowed(options, withIds(ids), ids.length), signal),
    );
    // An issue that is not found again has left the list meanwhile.
    const asked = new Set(incomplete);
    const kept = issues.filter(({id}) => !asked.has(id));
    issues = [...kept, ...again.flatMap((read) => read.issues)];
    malformed = [...malformed, ...again.flatMap((read) => read.malformed)];
    incomplete = again.flatMap((read) => read.incomplete);
  }
  return {issues, malformed};
}

/** In the fewest requests that Linear allows. */
export async function readInBatches(
  api: LinearApi,
  wanted: readonly string[],
  toFilter: (batch: readonly string[]) => IssueFilter | null,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<Records> {
  const batches = batchesOf([...new Set(wanted)], DEPTHS[0].issues);
  const read = await mapBounded(batches, AT_ONCE, async (batch) => {
    const filter = toFilter(batch);
    if (filter === null) return {issues: [], malformed: []};
    return readIssues(api, narrowed(options, filter, batch.length), signal);
  });
  return {
    issues: read.flatMap(({issues}) => issues),
    malformed: read.flatMap(({malformed}) => malformed),
  };
}

interface ReadAtDepth {
  readonly issues: readonly Issue[];
  readonly malformed: readonly MalformedRecord[];
  /** Ids of issues with a list that was cut off at this depth. */
  readonly incomplete: readonly string[];
}

async function readAt(
  api: LinearApi,
  depth: Depth,
  {filters, archived, assigneeId, most = depth.issues}: ReadOptions,
  signal: AbortSignal,
): Promise<ReadAtDepth> {
  const {labels, relations} = depth;
  const first = Math.min(most, depth.issues);
  const nodes = await allPages(api, async (after) => {
    const variables = {filter: {and: filters}, archived, first, after, labels, relations};
    return (await api.query(ISSUES, variables, IssuesAnswer, signal)).issues;
  });
  const issues: Issue[] = [];
  const malformed: MalformedRecord[] = [];
  const incomplete: string[] = [];
  for (const node of nodes) {
    const normalized = toLinearIssue(node, depth, assigneeId);
    if (normalized.is === 'malformed') malformed.push(normalized.record);
    if (normalized.is !== 'issue') continue;
    issues.push(normalized.issue);
    if (!normalized.isComplete) incomplete.push(normalized.issue.id);
  }
  return {issues, malformed, incomplete};
}

function narrowed(options: ReadOptions, filter: IssueFilter, most: number): ReadOptions {
  return {...options, filters: [...options.filters, filter], most};
}

function batchesOf(items: readonly string[], size: number): string[][] {
  return Array.from({length: Math.ceil(items.length / size)}, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
