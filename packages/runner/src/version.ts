/** Also sent to the agent. A test compares it with the package.json of the published package. */
export const VERSION = '0.1.0';
