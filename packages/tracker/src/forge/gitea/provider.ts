import type {ProviderComplaint} from '@symphony-supervisor/protocol';
import {ENDPOINT_RULE, toEndpoint} from '../../http/endpoint.ts';
import {toText} from '../../normalize.ts';

// Imported by the profile: nothing big may come in here.

type Given = Readonly<Record<string, unknown>>;

export interface GiteaPlace {
  readonly endpoint: URL;
  readonly owner: string;
  readonly name: string;
}

export const KEYS = ['repo', 'endpoint'];

const REPO = /^([\w][\w.-]{0,99})\/((?!\.{1,2}$)[\w.-]{1,100})$/;

/** Only of settings that were checked. */
export function placeOf({repo, endpoint}: Given): GiteaPlace {
  const [, owner = '', name = ''] = REPO.exec(toText(repo) ?? '') ?? [];
  return {endpoint: toEndpoint(endpoint) ?? new URL('https://gitea.invalid'), owner, name};
}

/** There is no address that most people mean. */
export function checkPlace({repo, endpoint}: Given): readonly ProviderComplaint[] {
  const expected = 'a repository as owner/name';
  return [
    ...(REPO.test(toText(repo) ?? '') ? [] : [{key: ['repo'], expected}]),
    ...(toEndpoint(endpoint) === null ? [{key: ['endpoint'], expected: ENDPOINT_RULE}] : []),
  ];
}
