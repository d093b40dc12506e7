/**
 * What a project's tracker is called in the thread: after a changed scope there are two for a while.
 * Project names hold no slash, so no two share a name.
 */
export function trackerName(project: string, scope: number): string {
  return scope === 0 ? project : `${project}/${scope}`;
}
