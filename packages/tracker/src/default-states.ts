/** The states of trackers that leave the choice to us, and of Linear's own template. */
export const DEFAULT_STATES = {
  activeStates: ['Todo', 'In Progress'],
  terminalStates: ['Done', 'Closed', 'Cancelled', 'Canceled', 'Duplicate'],
  unstartedStates: ['Todo'],
} as const;
