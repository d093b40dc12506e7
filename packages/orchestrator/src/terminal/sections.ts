import type {
  HeldRow,
  RetryingRow,
  RunningRow,
  Snapshot,
  StoppingRow,
  WaitingRow,
} from '@symphony-supervisor/protocol';
import {stallClock} from '../view/stall-clock.ts';
import {
  agentWords,
  codeWords,
  countdown,
  phaseWords,
  roleWords,
  roughly,
  span,
  tokens,
} from '../view/words.ts';
import {type Align, fit} from './cells.ts';
import type {Paint, Style} from './paint.ts';

export interface Section {
  readonly title: string;
  readonly style: Style;
  readonly lines: readonly string[];
  /** If more exist than there are lines for. */
  readonly count: number;
}

interface Cell {
  readonly text: string;
  /** Default: the rest of the line. */
  readonly width?: number;
  readonly align?: Align;
  readonly style?: Style | null;
}

export interface Look {
  readonly columns: number;
  readonly now: number;
  readonly paint: Paint;
}

/** Needs input first, then what runs, then what waits. */
export function sectionsOf(snapshot: Snapshot, look: Look): Section[] {
  const {held, running, stopping, retrying, waiting, dismissed, counts} = snapshot;
  const of = <T>(
    title: string,
    style: Style,
    rows: readonly T[],
    cells: (row: T, now: number) => readonly Cell[],
    all = rows.length,
  ): Section => ({
    ...{title, style, count: all},
    lines: rows.map((row) => lineOf(cells(row, look.now), look)),
  });
  return [
    of('Needs input', 'yellow', held, heldCells),
    of('Running', 'blue', running, runningCells(running, look.columns)),
    of('Stopping', 'magenta', stopping, stoppingCells),
    of('Retrying', 'magenta', retrying, retryingCells),
    of('Waiting', 'faint', waiting, waitingCells, counts.waiting),
    of('Dismissed', 'faint', dismissed, dismissedCells, counts.dismissed),
  ].filter(({count: n}) => n > 0);
}

/** From left to right, as far as they fit. */
function lineOf(cells: readonly Cell[], {columns, paint}: Look): string {
  let left = columns - 1;
  let line = columns > 0 ? ' ' : '';
  for (const {text, width = left, align = 'left', style = null} of cells) {
    const shown = fit(text, Math.min(width, left), align);
    line += style === null || shown === '' ? shown : paint(style, shown);
    left -= Math.min(width, left);
    if (left > 0) line += ' ';
    left -= 1;
  }
  return line;
}

/** Narrower, what the agent says would be cut to a word. */
const COLUMNS_FOR_AGENT = 100;
const ALARM = {calm: null, uneasy: 'yellow', alarming: 'red'} as const;

function runningCells(rows: readonly RunningRow[], columns: number) {
  const tokensWidth = rows.some(({usage}) => usage === 'unmeasured') ? 'unmeasured'.length : 6;
  return (row: RunningRow, now: number): Cell[] => {
    const {quietMs, level} = stallClock(row, now);
    const agent: Cell = {text: agentWords(row), width: 18, style: 'faint'};
    return [
      named(row),
      {text: phaseWords(row.phase), width: 11},
      {text: row.turn_count === 0 ? '' : `turn ${row.turn_count}`, width: 7},
      {text: tokens(row), width: tokensWidth, align: 'right'},
      {text: span(now - Date.parse(row.started_at)), width: 8, align: 'right'},
      {text: span(quietMs), width: 8, align: 'right', style: ALARM[level]},
      ...(columns < COLUMNS_FOR_AGENT ? [] : [agent]),
      {text: said(row, row.last_message ?? row.issue_title)},
    ];
  };
}

function heldCells(row: HeldRow, now: number): Cell[] {
  return [
    named(row),
    {text: codeWords(row.reason), width: 20, style: 'yellow'},
    {text: roughly(now - Date.parse(row.since)), width: 4, align: 'right'},
    {text: said(row, row.question ?? `${row.issue_title}: ${row.message}`)},
  ];
}

function dismissedCells(row: HeldRow, now: number): Cell[] {
  return [
    named(row),
    {text: roughly(now - Date.parse(row.since)), width: 4, align: 'right', style: 'faint'},
    {text: said(row, row.issue_title)},
  ];
}

function stoppingCells(row: StoppingRow): Cell[] {
  const why = row.reason === null ? '' : `${codeWords(row.reason)}; `;
  const next = `waiting for the ${codeWords(row.step)}, then ${codeWords(row.next)}`;
  return [named(row), {text: said(row, `${why}${next}`)}];
}

function retryingCells(row: RetryingRow, now: number): Cell[] {
  const due = Date.parse(row.due_at);
  return [
    named(row),
    {text: due <= now ? 'now' : `in ${countdown(due, now)}`, width: 10},
    {text: row.kind, width: 12},
    {text: said(row, row.error ?? row.issue_title)},
  ];
}

function waitingCells(row: WaitingRow): Cell[] {
  const title = said(row, row.issue_title);
  return [named(row), {text: row.reason, width: 24, style: 'faint'}, {text: title}];
}

/** The last cell: a role that is not the file itself stands before the rest. */
function said(row: {role: string}, text: string): string {
  const role = roleWords(row);
  return role === '' ? text : `[${role}] ${text}`;
}

function named({issue_identifier: identifier}: {issue_identifier: string}): Cell {
  return {text: identifier, width: 12, style: 'bold'};
}
