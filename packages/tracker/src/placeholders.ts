/**
 * What a new workflow file contains until its author names the project; no tracker accepts them.
 */
export const PLACEHOLDERS = {linear: 'fill-in-the-slug', github: 'owner/repository'} as const;
