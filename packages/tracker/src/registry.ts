import type {TrackerSettings} from '@symphony-supervisor/protocol';
import type {TrackerAdapter} from './adapter.ts';
import {type Answer, answer, answering, failed} from './answer.ts';
import type {HttpOptions} from './http/client.ts';
import {PROFILES} from './profiles.ts';
import type {ResolveSecret} from './thread/secrets.ts';

export interface OpenOptions {
  readonly resolveSecret: ResolveSecret;
  /** A shorter connect timeout for tests. */
  readonly http?: Pick<HttpOptions, 'limitMs' | 'pauseMs'>;
}

/** May throw a `TrackerProblem`. */
export type OpenAdapter = (
  settings: TrackerSettings,
  options: OpenOptions,
) => TrackerAdapter | Promise<TrackerAdapter>;

/** Loaded on use: an unused provider costs nothing. */
const ADAPTERS: Readonly<Record<string, () => Promise<OpenAdapter>>> = {
  file: async () => (await import('./file/adapter.ts')).openFileTracker,
  github: async () => (await import('./github/adapter.ts')).openGithubTracker,
  linear: async () => (await import('./linear/adapter.ts')).openLinearTracker,
  memory: async () => (await import('./memory/adapter.ts')).openMemoryTracker,
};

export async function openTracker(
  settings: TrackerSettings,
  options: OpenOptions,
): Promise<Answer<TrackerAdapter>> {
  const {kind, provider} = settings;
  const profile = PROFILES[kind];
  const load = ADAPTERS[kind];
  // Every object has a `constructor`; it is no tracker.
  if (!Object.hasOwn(PROFILES, kind) || profile === undefined || load === undefined) {
    const known = Object.keys(PROFILES).join(', ');
    return failed('unsupported_tracker_kind', `there is no tracker "${kind}"; known: ${known}`);
  }
  const complaints = profile.checkProvider(provider);
  if (complaints.length > 0) {
    const told = complaints.map(
      ({key, expected}) => `${['tracker.provider', ...key].join('.')}: expected ${expected}`,
    );
    return failed('invalid_tracker_config', told.join('; '));
  }
  // Opening makes no request, so there is nothing to time out.
  const never = new AbortController().signal;
  return answering(never, async () => {
    const open = await load();
    return answer(await open(settings, options));
  });
}
