import type {TrackerProfile} from '@symphony-supervisor/protocol';
import {DEFAULT_STATES} from '../../src/default-states.ts';
import {ENDPOINT_RULE, toEndpoint} from '../../src/http/endpoint.ts';

export const BOARD_PROFILE: TrackerProfile = {
  kind: 'board',
  ...DEFAULT_STATES,
  canWrite: true,
  secrets: [{key: 'api_key', env: 'BOARD_API_KEY', required: true}],
  pathKeys: [],
  flatKeys: {},
  knownKeys: ['endpoint'],
  checkProvider: ({endpoint}) =>
    toEndpoint(endpoint) === null ? [{key: ['endpoint'], expected: ENDPOINT_RULE}] : [],
};
