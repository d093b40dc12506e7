import type {TrackerProfile} from '@symphony-supervisor/protocol';
import {checkProvider} from './provider.ts';

export const GITHUB_PROFILE: TrackerProfile = {
  kind: 'github',
  activeStates: ['open'],
  terminalStates: ['closed'],
  // `Todo` is what labels and projects call an issue that has not been started.
  unstartedStates: ['open', 'Todo'],
  canWrite: true,
  secrets: [
    {key: 'api_key', env: 'GITHUB_TOKEN', required: true},
    {key: 'webhook_secret', env: null, required: false},
  ],
  webhook: {
    secret: 'webhook_secret',
    header: 'x-hub-signature-256',
    form: /^sha256=[0-9a-f]{64}$/i,
  },
  pathKeys: [],
  flatKeys: {api_key: 'api_key'},
  knownKeys: [
    'repo',
    'api_url',
    'state_labels',
    'project_number',
    'status_field',
    'allowed_authors',
    'raw_tool',
  ],
  checkProvider,
};
