import type {TrackerProfile} from '@symphony-supervisor/protocol';
import {DEFAULT_STATES} from '../default-states.ts';

/** Used when the workflow file names no folder; relative to that file. */
export const DEFAULT_FOLDER = 'issues';

export const FILE_PROFILE: TrackerProfile = {
  kind: 'file',
  ...DEFAULT_STATES,
  canWrite: true,
  secrets: [],
  pathKeys: ['path'],
  flatKeys: {},
  defaults: {path: DEFAULT_FOLDER},
  knownKeys: ['path'],
  checkProvider({path}) {
    if (path === undefined || path === null) return [];
    if (typeof path === 'string' && path.trim() !== '') return [];
    return [{key: ['path'], expected: 'the path of a folder'}];
  },
};
