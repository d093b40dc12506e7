import type {ForgeProfile} from '../profile.ts';
import {checkPlace, KEYS} from './provider.ts';

/** Forgejo is the same for all that is used here. */
export const GITEA_FORGE_PROFILE: ForgeProfile = {
  kind: 'gitea',
  secrets: [
    {key: 'api_key', env: 'GITEA_TOKEN', required: true},
    {key: 'webhook_secret', env: null, required: false},
  ],
  webhook: {
    secret: 'webhook_secret',
    headers: {'x-gitea-signature': /^[0-9a-f]{64}$/i, 'x-forgejo-signature': /^[0-9a-f]{64}$/i},
  },
  mergeMethods: ['squash', 'merge', 'rebase'],
  lacks: ['bot_accounts', 'conflicts', 'conditional_reads'],
  knownKeys: KEYS,
  checkProvider: checkPlace,
};
