/**
 * The name of a project's tracker in its thread: after a changed scope there are two for a while.
 * Project names contain no slash, so no two share a name.
 */
export function trackerName(project: string, scope: number): string {
  return scope === 0 ? project : `${project}/${scope}`;
}
