import {GITEA_FORGE_PROFILE} from './gitea/profile.ts';
import {GITHUB_FORGE_PROFILE} from './github/profile.ts';
import {GITLAB_FORGE_PROFILE} from './gitlab/profile.ts';
import type {ForgeProfile} from './profile.ts';

/** Imports nothing large: workflow files are checked against it. */
export const FORGE_PROFILES: Readonly<Record<string, ForgeProfile>> = {
  gitea: GITEA_FORGE_PROFILE,
  github: GITHUB_FORGE_PROFILE,
  gitlab: GITLAB_FORGE_PROFILE,
};
