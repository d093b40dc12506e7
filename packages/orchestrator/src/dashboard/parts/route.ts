import {useLayoutEffect, useState} from 'preact/hooks';
import type {IssueName} from '../live/api.ts';

/** The part after `#`: the server serves a single page only. */
export type Route =
  | {readonly is: 'overview'}
  | ({readonly is: 'issue'; readonly runId: string | null} & IssueName);

export function readRoute(hash: string): Route {
  const [kind, project, identifier, runId] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  if (kind !== 'issue' || !project || !identifier) return {is: 'overview'};
  return {is: 'issue', project, issue_identifier: identifier, runId: runId || null};
}

export function issueHref(
  {project, issue_identifier: identifier}: IssueName,
  runId?: string,
): string {
  const parts = [project, identifier, ...(runId === undefined ? [] : [runId])];
  return `#/issue/${parts.map(encodeURIComponent).join('/')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // typed by hand
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useLayoutEffect(() => {
    const onChange = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return route;
}
