import type {TrackerSettings} from '@symphony-supervisor/protocol';

/** Settings of a tracker that lives in memory, with these issues. */
export function inMemory(issues: readonly unknown[], fields: Partial<TrackerSettings> = {}) {
  return {
    kind: 'memory',
    provider: {issues},
    secrets: {},
    secretNames: [],
    activeStates: ['Todo', 'In Progress'],
    terminalStates: ['Done'],
    unstartedStates: ['Todo'],
    requiredLabels: [],
    excludedLabels: [],
    inProgressState: null,
    handoffState: null,
    ...fields,
  } satisfies TrackerSettings;
}
