import type {TrackerSettings} from '@symphony-supervisor/protocol';

/** The plainest there are, for any kind. */
export function trackerSettings(
  kind: string,
  provider: Record<string, unknown> = {},
): TrackerSettings {
  return {
    kind,
    provider,
    secrets: {},
    secretNames: [],
    activeStates: ['Todo'],
    terminalStates: ['Done'],
    unstartedStates: ['Todo'],
    requiredLabels: [],
    excludedLabels: [],
    inProgressState: null,
    handoffState: null,
  };
}
