import type {GithubApi} from '../api.ts';

const PAGE_SIZE = 100;
/** Twenty thousand open issues: a repository of that size needs labels to tell what is work. */
const MAX_PAGES = 200;

/**
 * All open issues, or those with a label. Oldest first, so that new issues are appended, and only a
 * closed issue can shift the pages during the read.
 */
export async function listOpen(
  api: GithubApi,
  label: string | null,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const filter = label === null ? '' : `&labels=${encodeURIComponent(label)}`;
  const found: unknown[] = [];
  const seen = new Set<unknown>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = `state=open${filter}&sort=created&direction=asc&per_page=${PAGE_SIZE}&page=${page}`;
    const {value, hasNext} = await api.get(`${api.repoPath}/issues?${query}`, signal);
    const records = asPage(api, value);
    const fresh = records.filter((record) => !seen.has(keyOf(record)));
    // A reopened issue shifts others to the next page; a full page does not move.
    if (page > 1 && records.length > 0 && fresh.length === 0) {
      throw api.problem('tracker_pagination', `sent page ${page} of its issues a second time`);
    }
    for (const record of fresh) seen.add(keyOf(record));
    found.push(...fresh);
    // A full page that is unchanged may have a new successor, so the next page is always requested.
    if (records.length === 0) return found;
    if (records.length < PAGE_SIZE && hasNext !== true) return found;
  }
  const advice = 'set tracker.provider.state_labels, so that only those with a label are read';
  throw api.problem('tracker_pagination', `has more than ${MAX_PAGES} pages of issues; ${advice}`);
}

/** Of the closed issues only the latest; older ones are not needed. */
export async function listLatelyClosed(
  api: GithubApi,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const query = `state=closed&sort=updated&direction=desc&per_page=${PAGE_SIZE}&page=1`;
  const {value} = await api.get(`${api.repoPath}/issues?${query}`, signal);
  return asPage(api, value);
}

function asPage(api: GithubApi, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw api.problem('tracker_response', 'sent a response that is not a list of issues');
}

/** Items that cannot be told apart are kept and reported as malformed once each. */
function keyOf(record: unknown): unknown {
  const isNumbered = typeof record === 'object' && record !== null && 'number' in record;
  return isNumbered ? record.number : record;
}
