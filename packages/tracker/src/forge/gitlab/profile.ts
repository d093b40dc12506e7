import type {ForgeProfile} from '../profile.ts';
import {checkPlace, KEYS} from './provider.ts';

export const GITLAB_FORGE_PROFILE: ForgeProfile = {
  kind: 'gitlab',
  secrets: [
    {key: 'api_key', env: 'GITLAB_TOKEN', required: true},
    {key: 'webhook_secret', env: null, required: false},
  ],
  webhook: {
    secret: 'webhook_secret',
    headers: {'x-gitlab-token': /^[\x21-\x7e]{1,512}$/, 'webhook-signature': /^v1,[\w+/=, ]+$/},
  },
  // Whether a merge is fast-forward or has a commit of its own is a setting of the project.
  mergeMethods: ['squash', 'merge'],
  lacks: ['bot_accounts', 'approved_commit'],
  knownKeys: KEYS,
  checkProvider: checkPlace,
};
