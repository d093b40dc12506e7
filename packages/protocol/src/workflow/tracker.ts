import {nearest} from '../nearest.ts';
import type {TrackerSettings} from '../settings.ts';
import type {TrackerProfile} from '../tracker-profile.ts';
import type {FileContext} from './context.ts';
import {reportUnknown} from './keys/known-keys.ts';
import type {GivenSettings} from './keys/schema.ts';
import {
  checkProvider,
  gatherProvider,
  providerKeysOf,
  resolveProvider,
  withPromptTool,
} from './provider.ts';
import {resolveSecrets, secretNames} from './secrets/secrets.ts';
import {resolveStates} from './states.ts';
import type {Findings} from './text/findings.ts';
import {isRecord} from './text/front-matter.ts';

/** The flat keys of older files are the adapter's to know, so they are looked up in the raw map. */
export function resolveTracker(
  given: GivenSettings['tracker'],
  raw: unknown,
  profile: TrackerProfile,
  template: string,
  context: FileContext,
  findings: Findings,
): TrackerSettings {
  const entries = gatherProvider(given.provider, isRecord(raw) ? raw : {}, profile, findings);
  const secrets = resolveSecrets(entries, profile, context, findings);
  const resolved = resolveProvider(entries, profile, context, findings);
  const provider = withPromptTool(resolved, profile, template, findings);
  reportUnknown(['tracker', 'provider'], given.provider, providerKeysOf(profile), findings);
  checkProvider(provider, entries, profile, findings);
  return {
    kind: profile.kind,
    provider,
    secrets,
    secretNames: secretNames(profile, secrets),
    ...resolveStates(given, profile, findings),
    requiredLabels: normalized(given.required_labels),
    excludedLabels: normalized(given.excluded_labels).filter((label) => label !== ''),
  };
}

export function findProfile(
  kind: string | null,
  {profiles}: FileContext,
  findings: Findings,
): TrackerProfile | null {
  const key = ['tracker', 'kind'];
  const kinds = Object.keys(profiles);
  if (kind !== null && Object.hasOwn(profiles, kind)) return profiles[kind] ?? null;
  if (!findings.isSound(key)) return null;
  if (kind === null) {
    findings.error('missing_setting', key, `tracker.kind is missing; give ${kinds.join(' or ')}`);
    return null;
  }
  const meant = nearest(kind, kinds);
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  const message = `${findings.asGiven(key)}; give ${kinds.join(' or ')}${hint}`;
  findings.error('unsupported_tracker_kind', key, message);
  return null;
}

/** A blank label stays: it matches nothing, and dropping it would let every issue pass. */
function normalized(labels: readonly string[]): readonly string[] {
  return [...new Set(labels.map((label) => label.trim().toLowerCase()))];
}
