import type {ClaimKey} from '../claim.ts';
import type {Decision} from '../draft.ts';
import type {Effect} from '../effect.ts';
import type {Event} from '../event.ts';
import type {State} from '../state.ts';
import {aboutClaim, type ClaimLine, claimLine, isCleaning} from './claim-lines.ts';
import {type Measure, measuresOf} from './measures.ts';

/**
 * The facts of a decision. The log, the recent events of an issue and the metrics take what they need from
 * it; none of them derives anything itself, so all of them use the same words.
 */
export type Announcement = Line | Progress | Measure;

/** For people. */
export interface Line {
  readonly is: 'line';
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: string;
  /** null: it is about a project or all projects. */
  readonly key: ClaimKey | null;
  readonly at: number;
  /** For the log, `event` included. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
}

/** Progress of an agent. There is far more of it than people read: a consumer limits how much it keeps. */
export interface Progress {
  readonly is: 'progress';
  readonly key: ClaimKey;
  readonly at: number;
  /** null: only a sign of life. */
  readonly event: string | null;
  readonly message: string | null;
  readonly about: Readonly<Record<string, string>>;
}

export function announcementsOf(before: State, event: Event, decision: Decision): Announcement[] {
  const {state: after, effects, touched} = decision;
  const told: Announcement[] = [];
  if (isProgress(event)) told.push(...progressOf(after, event));
  else for (const key of touched.claims) told.push(...linesOfClaim(key, before, after, event));
  for (const effect of effects) {
    if (effect.do === 'log') told.push(lineOfOrder(before, after, event, effect));
  }
  told.push(...measuresOf(before, event, decision));
  return told;
}

type Reported = Extract<Event, {type: 'runner.reported'}>;

function isProgress(event: Event): event is Reported {
  return (
    event.type === 'runner.reported' && ['agent', 'heartbeat', 'hello'].includes(event.report.type)
  );
}

function progressOf({claims}: State, {key, at, report}: Reported): Progress[] {
  const claim = claims.get(key);
  if (claim === undefined) return [];
  const {event, message} = report.type === 'agent' ? report.progress : NOTHING_SAID;
  return [{is: 'progress', key, at, event, message, about: aboutClaim(claim)}];
}

const NOTHING_SAID = {event: null, message: null};

function linesOfClaim(key: ClaimKey, before: State, after: State, event: Event): Line[] {
  const former = before.claims.get(key);
  const claim = after.claims.get(key);
  // A kept workspace is inspected every hour: its result is logged, the inspection is not.
  const isLook = [former, claim].every((one) => one === undefined || isCleaning(one));
  if (isLook && before.kept.has(key)) return [];
  const line = claim === undefined ? RELEASED : claimLine(former, claim);
  const about = claim ?? former;
  if (line === null || about === undefined) return [];
  const {level, event: name, fields} = line;
  return [
    {
      ...{is: 'line', level, event: name, key, at: event.at, reason: textOf(fields.reason)},
      fields: {event: name, cause: event.type, ...aboutClaim(about), ...fields},
    },
  ];
}

const RELEASED: ClaimLine = {level: 'info', event: 'claim.released', fields: {}};

function textOf(reason: unknown): string | null {
  return typeof reason === 'string' ? reason : null;
}

function lineOfOrder(
  before: State,
  after: State,
  {at}: Event,
  {level, event, key: ofKey, project, reason: text}: Extract<Effect, {do: 'log'}>,
): Line {
  const reason = text ?? null;
  const key = ofKey ?? null;
  const claim = key === null ? undefined : (after.claims.get(key) ?? before.claims.get(key));
  const ofProject = project === undefined ? {} : {project};
  const about = claim === undefined ? ofProject : aboutClaim(claim);
  return {is: 'line', level, event, key, at, reason, fields: {event, ...about, reason}};
}
