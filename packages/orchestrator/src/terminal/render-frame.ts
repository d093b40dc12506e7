import type {Snapshot} from '@symphony-supervisor/protocol';
import {type Alert, alertsOf} from '../view/attention.ts';
import {countdown, roughly, span, totalTokens} from '../view/words.ts';
import {clean, fit, place, width} from './cells.ts';
import {painter} from './paint.ts';
import {type Look, type Section, sectionsOf} from './sections.ts';

export interface FrameOptions {
  readonly columns: number;
  readonly rows: number;
  /** On the clock of the snapshot. */
  readonly now: number;
  readonly hasColour?: boolean;
  /** The last warnings of the log, oldest first. */
  readonly warnings?: readonly string[];
  /** The dashboard's URL. */
  readonly url?: string | null;
  /** A sign-in link for the dashboard. */
  readonly link?: string | null;
}

const MOST_ALERTS = 4;
const MOST_WARNINGS = 3;
/** An empty line and the title. */
const SECTION_HEAD = 2;

/** The whole screen: never more than `rows` lines, none wider than `columns`. */
export function renderFrame(snapshot: Snapshot, options: FrameOptions): string[] {
  const {columns, rows, now, warnings = [], url = null, link = null} = options;
  const look: Look = {columns, now, paint: painter(options.hasColour ?? false)};
  const head = [
    titleLine(snapshot, url, look),
    figuresLine(snapshot, look),
    // First in its line: a truncated link is useless.
    ...(link === null ? [] : [fit(`${clean(link)} signs a browser in, once`, columns)]),
    ...alertsOf(snapshot)
      .slice(0, MOST_ALERTS)
      .map((alert) => alertLine(alert, look)),
  ];
  const foot = warnings
    .slice(-MOST_WARNINGS)
    .map((warning) => look.paint('faint', fit(`log: ${warning}`, columns)));
  const space = Math.max(0, rows - head.length - foot.length);
  const body = layOut(sectionsOf(snapshot, look), space).flatMap(({section, lines}) =>
    drawn(section, lines, look),
  );
  if (body.length === 0 && space > 1)
    body.push('', place(' No issue is running or waiting.', columns));
  const gap = Array.from({length: Math.max(0, space - body.length)}, () => '');
  return [...head, ...body, ...gap, ...foot].slice(0, rows);
}

function titleLine(snapshot: Snapshot, url: string | null, {columns, now, paint}: Look): string {
  const {supervisor, polling, generated_at: at} = snapshot;
  const up = roughly(now - Date.parse(supervisor.started_at));
  const address = url === null ? '' : `  ${clean(url)}`;
  const left = ` Symphony Supervisor ${supervisor.version}  up ${up}${address}`;
  const inMs = polling.next_poll_in_ms;
  const poll = inMs === null ? '' : `next poll ${countdown(Date.parse(at) + inMs, now)} `;
  const right = polling.checking ? 'reading the tracker… ' : poll;
  const room = columns - width(right);
  // If there is not enough room for both, the countdown is omitted.
  const line = room < 24 ? place(left, columns) : place(left, room) + right;
  return paint('reverse', line);
}

function figuresLine(snapshot: Snapshot, {columns, now}: Look): string {
  const {supervisor, projects, counts, codex_totals: totals, rate_limits: limits} = snapshot;
  const sum = projects.reduce((all, {slots}) => all + slots.limit, 0);
  const windows = (limits?.windows ?? []).map(
    ({used_percent: used, resets_at: at}) =>
      `${Math.round(used)} %${at === null ? '' : ` (${roughly(Date.parse(at) - now)})`}`,
  );
  const figures = [
    `slots ${supervisor.slots.used}/${Math.min(supervisor.slots.limit ?? sum, sum)}`,
    ...(['running', 'stopping', 'retrying', 'held', 'waiting', 'dismissed'] as const)
      .filter((name) => counts[name] > 0)
      .map((name) => `${name} ${counts[name]}`),
    `tokens ${totalTokens(snapshot)}`,
    `agent time ${span(totals.seconds_running * 1000)}`,
    ...(windows.length === 0 ? [] : [`limits ${windows.join(', ')}`]),
  ];
  return place(` ${figures.join('  ')}`, columns);
}

function alertLine(alert: Alert, {columns, now, paint}: Look): string {
  const {severity, project, title, detail, next} = alert;
  const about = project === null ? '' : `${project}: `;
  const when = next === null ? '' : ` (${next.words} in ${countdown(Date.parse(next.at), now)})`;
  const text = `! ${about}${title}${when}${detail === null ? '' : `: ${detail}`}`;
  return paint(severity === 'error' ? 'red' : 'yellow', fit(text, columns));
}

/** Lines per section: distributed in turn, so that no section takes all of them. */
function layOut(sections: readonly Section[], space: number): {section: Section; lines: number}[] {
  const shown = sections
    .slice(0, Math.floor(space / (SECTION_HEAD + 1)))
    .map((section) => ({section, lines: 1}));
  let left = space - shown.length * (SECTION_HEAD + 1);
  for (let isDone = false; left > 0 && !isDone; ) {
    isDone = true;
    for (const each of shown) {
      if (left === 0 || each.lines >= each.section.count) continue;
      each.lines++;
      left--;
      isDone = false;
    }
  }
  return shown;
}

function drawn({title, style, lines, count: all}: Section, space: number, look: Look): string[] {
  const {columns, paint} = look;
  const isCut = all > Math.min(space, lines.length);
  const rows = lines.slice(0, isCut ? space - 1 : space);
  const more = isCut ? [paint('faint', place(` … ${all - rows.length} more`, columns))] : [];
  return ['', paint(style, place(` ${title} ${all}`, columns)), ...rows, ...more];
}
