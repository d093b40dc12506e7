import {GITHUB_PROFILE} from '../../github/profile.ts';
import type {ForgeProfile} from '../profile.ts';
import {checkPlace, KEYS} from './provider.ts';

export const GITHUB_FORGE_PROFILE: ForgeProfile = {
  kind: 'github',
  secrets: GITHUB_PROFILE.secrets,
  webhook: {
    secret: 'webhook_secret',
    headers: {'x-hub-signature-256': /^sha256=[0-9a-f]{64}$/i},
  },
  mergeMethods: ['squash', 'merge', 'rebase'],
  lacks: [],
  knownKeys: KEYS,
  checkProvider: checkPlace,
};
