import type {IssueView, Snapshot} from '@symphony-supervisor/protocol';
import {useEffect, useLayoutEffect, useState} from 'preact/hooks';
import {fetchIssue, type IssueName} from '../live/api.ts';
import {keepSame} from '../live/keep-same.ts';

/** An issue whose row changed is fetched again, but not more often than this. */
const SETTLE_MS = 700;

export type Asked =
  | {readonly is: 'loading'}
  | {readonly is: 'found'; readonly issue: IssueView}
  | {readonly is: 'failed'; readonly message: string};

/** The issue's whole view, fetched again whenever the snapshot shows a change of it. */
export function useIssue(name: IssueName, snapshot: Snapshot): Asked {
  const {project, issue_identifier: identifier} = name;
  const [asked, setAsked] = useState<Asked>({is: 'loading'});
  const {running, stopping, retrying, held, dismissed} = snapshot;
  const rows = [...running, ...stopping, ...retrying, ...held, ...dismissed];
  // Rows keep their identity while they do not change.
  const row = rows.find((each) => each.project === project && each.issue_identifier === identifier);
  // Before the paint: one issue is never shown under another's name.
  useLayoutEffect(() => setAsked({is: 'loading'}), [project, identifier]);
  const isLoading = asked.is === 'loading';
  useEffect(() => {
    let isOver = false;
    const read = async () => {
      const next = await fetchIssue({project, issue_identifier: identifier}).then(
        (issue): Asked => ({is: 'found', issue}),
        (error: Error): Asked => ({is: 'failed', message: error.message}),
      );
      if (!isOver) setAsked((last) => keepSame<Asked>(last, next));
    };
    const timer = setTimeout(read, isLoading ? 0 : SETTLE_MS);
    return () => {
      clearTimeout(timer);
      isOver = true;
    };
  }, [project, identifier, row, isLoading]);
  return asked;
}
