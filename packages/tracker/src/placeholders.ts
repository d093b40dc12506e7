/** What a new workflow file says until its author fills in the project; no tracker takes them. */
export const PLACEHOLDERS = {linear: 'fill-in-the-slug', github: 'owner/repository'} as const;
