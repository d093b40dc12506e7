import type {ProjectRow, Snapshot} from '@symphony-supervisor/protocol';
import {leftProcesses} from './left-processes.ts';

/** A condition that needs an operator, or that explains why nothing runs. */
export interface Alert {
  readonly key: string;
  readonly severity: 'error' | 'warning';
  readonly project: string | null;
  readonly title: string;
  readonly detail: string | null;
  /** When it may change without an operator, and how: `resets`, `tried again`. */
  readonly next: {readonly at: string; readonly words: string} | null;
}

/** An account used up to this share will soon stop every agent. */
const TIGHT_PERCENT = 90;

/** Worst first. */
export function alertsOf(snapshot: Snapshot): Alert[] {
  const several = snapshot.projects.length > 1;
  const alerts = [
    ...supervisorAlerts(snapshot),
    ...leftAlerts(snapshot),
    ...snapshot.projects.flatMap((project) => projectAlerts(project, several)),
    ...limitAlerts(snapshot),
  ];
  return alerts.sort((a, b) => rank(a) - rank(b));
}

function supervisorAlerts({supervisor}: Snapshot): Alert[] {
  const alerts: Alert[] = [];
  if (!supervisor.store_is_writable) {
    const detail = 'No run is started until it can. Check the disk of the state directory.';
    alerts.push(alert('store', 'error', 'The store cannot be written', detail));
  }
  if (supervisor.is_shutting_down) {
    alerts.push(alert('shutdown', 'warning', 'The supervisor is shutting down', null));
  }
  return alerts;
}

function leftAlerts(snapshot: Snapshot): Alert[] {
  const detail = 'They may still write to the workspace. If they remain, restart the machine.';
  return leftProcesses(snapshot).map(({runId, message}) =>
    alert(`left ${runId ?? ''}`, 'error', message, detail),
  );
}

function projectAlerts(project: ProjectRow, several: boolean): Alert[] {
  const {name, problem, agent, tracker, last_error: lastError} = project;
  const about = several ? name : null;
  const alerts: Alert[] = [];
  const add = (
    kind: string,
    ...rest: [Alert['severity'], string, string | null, Alert['next']?]
  ) => {
    const [severity, title, detail, next] = rest;
    alerts.push(alert(`${kind} ${name}`, severity, title, detail, about, next));
  };
  if (problem !== null) add('workflow', 'error', 'The workflow file is invalid', problem);
  if (agent.status === 'blocked') {
    const next = agent.until === null ? null : {at: agent.until, words: 'tried again'};
    add('agent', 'error', 'The agent cannot be started', agent.why, next);
  }
  if (tracker.not_before !== null) {
    const next = {at: tracker.not_before, words: 'read again'};
    add('tracker', 'warning', 'The tracker asked to wait', null, next);
  }
  if (tracker.malformed !== null) {
    const {count, examples} = tracker.malformed;
    const what = count === 1 ? '1 issue cannot be read' : `${count} issues cannot be read`;
    add('malformed', 'warning', what, examples.join('; '));
  }
  const isSaid = lastError === problem || (agent.why !== null && lastError?.includes(agent.why));
  if (lastError !== null && !isSaid) add('error', 'error', 'The last tick had an error', lastError);
  if (project.is_paused)
    add('paused', 'warning', 'Dispatch is paused', 'Current runs continue; no new run is started.');
  return alerts;
}

function limitAlerts({rate_limits: limits}: Snapshot): Alert[] {
  return (limits?.windows ?? []).flatMap((window, index) => {
    if (window.used_percent < TIGHT_PERCENT) return [];
    const title = `${Math.round(window.used_percent)} % of the agent's rate limit is used`;
    const next = window.resets_at === null ? null : {at: window.resets_at, words: 'resets'};
    return [alert(`limit ${index}`, 'warning', title, null, null, next)];
  });
}

function alert(
  key: string,
  severity: Alert['severity'],
  title: string,
  detail: string | null,
  project: string | null = null,
  next: Alert['next'] = null,
): Alert {
  return {key, severity, project, title, detail, next};
}

function rank({severity}: Alert): number {
  return severity === 'error' ? 0 : 1;
}
