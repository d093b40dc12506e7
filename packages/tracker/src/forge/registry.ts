import type {SecretRef} from '@symphony-supervisor/protocol';
import {type Answer, answer, answering, failed} from '../answer.ts';
import type {OpenOptions} from '../registry.ts';
import type {Forge} from './forge.ts';
import {FORGE_PROFILES} from './profiles.ts';

/** The forge of one project, as its workflow file gives it. */
export interface ForgeSettings {
  readonly kind: string;
  readonly provider: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, SecretRef>>;
}

/** May throw a `TrackerProblem`. */
export type OpenForge = (settings: ForgeSettings, options: OpenOptions) => Forge;

/** Loaded on use: a workflow without pull requests loads none of it. */
const FORGES: Readonly<Record<string, () => Promise<OpenForge>>> = {
  gitea: async () => (await import('./gitea/adapter.ts')).openGiteaForge,
  github: async () => (await import('./github/adapter.ts')).openGithubForge,
  gitlab: async () => (await import('./gitlab/adapter.ts')).openGitlabForge,
};

export async function openForge(
  settings: ForgeSettings,
  options: OpenOptions,
): Promise<Answer<Forge>> {
  const {kind, provider} = settings;
  const profile = FORGE_PROFILES[kind];
  const load = FORGES[kind];
  // Every object has a `constructor`; it is no forge.
  if (!Object.hasOwn(FORGE_PROFILES, kind) || profile === undefined || load === undefined) {
    const known = Object.keys(FORGE_PROFILES).join(', ');
    return failed('unsupported_tracker_kind', `there is no forge "${kind}"; known: ${known}`);
  }
  const complaints = profile.checkProvider(provider);
  if (complaints.length > 0) {
    const told = complaints.map(
      ({key, expected}) => `${['forge', ...key].join('.')}: expected ${expected}`,
    );
    return failed('invalid_tracker_config', told.join('; '));
  }
  // Opening makes no request, so there is nothing to time out.
  const never = new AbortController().signal;
  return answering(never, async () => {
    const open = await load();
    return answer(open(settings, options));
  });
}
