import type {ProviderComplaint} from '@symphony-supervisor/protocol';
import {ENDPOINT_RULE, toEndpoint} from '../../http/endpoint.ts';
import {toText} from '../../normalize.ts';

// Imported by the profile: nothing big may come in here.

type Given = Readonly<Record<string, unknown>>;

export interface GitlabPlace {
  readonly endpoint: URL;
  /** The number of the project, or its full path. */
  readonly project: string;
}

export const KEYS = ['project', 'endpoint'];

const ENDPOINT = 'https://gitlab.com';
/** `group/sub/name` of any depth. */
const PROJECT = /^(?:\d+|[\w][\w.-]*(?:\/[\w][\w.-]*)+)$/;

/** Only of settings that were checked. */
export function placeOf({project, endpoint}: Given): GitlabPlace {
  return {
    endpoint: toEndpoint(endpoint ?? ENDPOINT) ?? new URL(ENDPOINT),
    project: toText(project) ?? '',
  };
}

export function checkPlace({project, endpoint}: Given): readonly ProviderComplaint[] {
  const expected = 'a project as group/name, or its number';
  return [
    ...(PROJECT.test(toText(project) ?? '') ? [] : [{key: ['project'], expected}]),
    ...(endpoint === undefined || endpoint === null || toEndpoint(endpoint) !== null
      ? []
      : [{key: ['endpoint'], expected: ENDPOINT_RULE}]),
  ];
}
