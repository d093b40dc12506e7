import type {ProviderComplaint} from '@symphony-supervisor/protocol';
import type {GithubPlace} from '../../github/api.ts';
import {checkProvider as checkTrackerProvider, readProvider} from '../../github/provider.ts';

type Given = Readonly<Record<string, unknown>>;

/** The two keys that the tracker of that name has, too. */
export const KEYS = ['repo', 'api_url'];

export function placeOf({repo, api_url}: Given): GithubPlace {
  const {apiUrl, owner, name} = readProvider({repo, api_url});
  return {apiUrl, owner, name};
}

export function checkPlace({repo, api_url}: Given): readonly ProviderComplaint[] {
  return checkTrackerProvider({repo, api_url});
}
