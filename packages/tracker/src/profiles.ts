import type {TrackerProfile} from '@symphony-supervisor/protocol';
import {FILE_PROFILE} from './file/profile.ts';
import {GITHUB_PROFILE} from './github/profile.ts';
import {LINEAR_PROFILE} from './linear/profile.ts';
import {MEMORY_PROFILE} from './memory/profile.ts';

export {PLACEHOLDERS} from './placeholders.ts';

/**
 * Loaded at start-up, because every workflow file is checked against them; so they import nothing
 * large.
 */
export const PROFILES: Readonly<Record<string, TrackerProfile>> = {
  file: FILE_PROFILE,
  github: GITHUB_PROFILE,
  linear: LINEAR_PROFILE,
  memory: MEMORY_PROFILE,
};
