import type {Issue, Snapshot} from '@symphony-supervisor/protocol';
import type {Effect} from '../../core/effect.ts';
import type {State} from '../../core/state.ts';
import {snapshotOf} from '../../core/view/snapshot.ts';
import {VERSION} from '../../version.ts';
import {roleWords} from '../../view/words.ts';
import {cut, plain, table} from '../table.ts';

/** What a tick would do, as `--json` prints it. */
export interface Plan {
  readonly dispatch: readonly Row[];
  readonly stop: readonly Row[];
  readonly not_dispatched: readonly Row[];
}

interface Row {
  readonly issue_identifier: string;
  readonly issue_title: string;
  readonly project: string;
  readonly state: string;
  readonly role: string;
  readonly reason: string;
}

export function planOf(before: State, state: State, effects: readonly Effect[], at: number): Plan {
  const surroundings = {version: VERSION, pid: 0, started_at: ''};
  const snapshot = snapshotOf(state, at, surroundings, Number.POSITIVE_INFINITY);
  const taken = new Map(
    effects.flatMap((effect) => (effect.do === 'read-issue' ? [[effect.key, effect.runId]] : [])),
  );
  const dispatch: Row[] = [];
  for (const key of taken.keys()) {
    const claim = state.claims.get(key);
    if (claim?.is !== 'running') continue;
    const {attempt, retry} = claim.run;
    const was = before.claims.get(key)?.is;
    const reason = was === undefined ? 'fresh' : `${retry ?? 'resume'}, attempt ${attempt ?? '–'}`;
    dispatch.push(row(claim.project, claim.issue, claim.run.role, reason));
  }
  const fresh = new Set(dispatch.map(({project, issue_identifier: id}) => `${project}/${id}`));
  return {
    dispatch,
    stop: snapshot.stopping.map((each) => ({
      ...pick(each),
      reason: `${each.step}, then ${each.next}`,
    })),
    not_dispatched: notDispatched(snapshot).filter(
      ({project, issue_identifier: id}) => !fresh.has(`${project}/${id}`),
    ),
  };
}

function notDispatched(snapshot: Snapshot): Row[] {
  return [
    ...snapshot.running.map((each) => ({...pick(each), reason: 'running already'})),
    ...snapshot.retrying.map((each) => ({
      ...pick(each),
      reason: `retry due at ${each.due_at}${each.error === null ? '' : `: ${each.error}`}`,
    })),
    ...snapshot.held.map((each) => ({...pick(each), reason: `held: ${each.message}`})),
    ...snapshot.waiting.map((each) => ({...pick(each), reason: each.reason})),
  ];
}

function row(project: string, issue: Issue, role: string, reason: string): Row {
  const {identifier, title, state} = issue;
  return {issue_identifier: identifier, issue_title: title, project, state, role, reason};
}

function pick({issue_identifier, issue_title, project, state, role}: Omit<Row, 'reason'>) {
  return {issue_identifier, issue_title, project, state, role};
}

export function describePlan({dispatch, stop, not_dispatched}: Plan): string {
  const section = (title: string, rows: readonly Row[]): string =>
    rows.length === 0
      ? `${title}: nothing`
      : `${title}:\n${table(
          ['ISSUE', 'PROJECT', 'STATE', 'ROLE', 'WHY', 'TITLE'],
          rows.map((each) => [
            each.issue_identifier,
            each.project,
            each.state,
            roleWords(each),
            each.reason,
            cut(plain(each.issue_title), 60),
          ]),
        )}`;
  return [
    section('A tick would dispatch', dispatch),
    ...(stop.length === 0 ? [] : [section('It would stop, deliver or clean', stop)]),
    section('It would not dispatch', not_dispatched),
  ].join('\n\n');
}
