/** Permission modes of Claude Code 2.1. Another version may know more, so an unknown one is only a warning. */
export const PERMISSION_MODES = [
  ...['acceptEdits', 'auto', 'bypassPermissions', 'manual', 'dontAsk', 'plan'],
];
