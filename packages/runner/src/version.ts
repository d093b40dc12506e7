/** Also told to the agent. A test compares it with the package.json of what is published. */
export const VERSION = '0.1.0';
