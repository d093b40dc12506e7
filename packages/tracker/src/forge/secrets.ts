import {TrackerProblem} from '../answer.ts';
import type {ResolveSecret} from '../thread/secrets.ts';
import type {ForgeSettings} from './registry.ts';

/** The two secrets of every forge, read when they are used. */
export interface ForgeSecrets {
  readonly apiKey: () => Promise<string>;
  /** null: webhooks are not set up. */
  readonly webhookSecret: () => Promise<string | null>;
}

export function secretsOf(
  {kind, secrets}: ForgeSettings,
  resolveSecret: ResolveSecret,
): ForgeSecrets {
  const {api_key: key, webhook_secret: webhook} = secrets;
  return {
    apiKey: async () => {
      if (key !== undefined) return (await resolveSecret(key)).trim();
      const message = `the forge "${kind}" has no api_key; set its variable, api_key or api_key_file`;
      throw new TrackerProblem({code: 'missing_tracker_secret', message});
    },
    webhookSecret: async () => (webhook === undefined ? null : resolveSecret(webhook)),
  };
}
