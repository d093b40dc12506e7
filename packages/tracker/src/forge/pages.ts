import type {RestApi} from '../http/rest.ts';

export interface PageQuery {
  /** With its query: `page=` is added to it. */
  readonly path: string;
  /** As asked for in that query. */
  readonly size: number;
  readonly maxPages: number;
}

export interface Pages {
  readonly records: readonly unknown[];
  /** More pages than are read. */
  readonly hasMore: boolean;
}

/**
 * A list by page numbers. A full page has a successor unless the provider says otherwise: some of
 * their lists say nothing.
 */
export async function readPages(
  rest: RestApi,
  {path, size, maxPages}: PageQuery,
  signal: AbortSignal,
): Promise<Pages> {
  const records: unknown[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const {value, hasNext} = await rest.get(`${path}&page=${page}`, signal);
    if (!Array.isArray(value)) {
      throw rest.problem('tracker_response', 'sent something else than a list');
    }
    records.push(...value);
    if (value.length === 0 || !(hasNext ?? value.length >= size)) return {records, hasMore: false};
  }
  return {records, hasMore: true};
}
