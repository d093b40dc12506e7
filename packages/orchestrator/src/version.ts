/** The same as in package.json; a test sees to it. */
export const VERSION = '0.1.0';
