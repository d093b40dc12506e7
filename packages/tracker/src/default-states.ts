/** Default states for trackers without fixed states, and those of Linear's own template. */
export const DEFAULT_STATES = {
  activeStates: ['Todo', 'In Progress'],
  terminalStates: ['Done', 'Closed', 'Cancelled', 'Canceled', 'Duplicate'],
  unstartedStates: ['Todo'],
} as const;
