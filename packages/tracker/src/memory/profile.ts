import type {TrackerProfile} from '@symphony-supervisor/protocol';
import {DEFAULT_STATES} from '../default-states.ts';

export const MEMORY_PROFILE: TrackerProfile = {
  kind: 'memory',
  ...DEFAULT_STATES,
  canWrite: true,
  secrets: [],
  pathKeys: [],
  flatKeys: {},
  knownKeys: ['issues'],
  checkProvider({issues}) {
    if (issues === undefined || issues === null || Array.isArray(issues)) return [];
    return [{key: ['issues'], expected: 'a list of issues'}];
  },
};
