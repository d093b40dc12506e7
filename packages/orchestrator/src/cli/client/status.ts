import {type ProjectRow, Snapshot} from '@symphony-supervisor/protocol';
import {leftProcesses} from '../../view/left-processes.ts';
import {agentWords, roleWords, tokens, totalTokens} from '../../view/words.ts';
import {EXIT, type ExitCode} from '../exit.ts';
import {cut, plain, printJson, span, table} from '../table.ts';
import type {ClientOptions} from './client-commands.ts';
import {Control} from './control.ts';

export async function status(options: ClientOptions): Promise<ExitCode> {
  const snapshot = await Control.reach(options).get('/api/v1/state', Snapshot);
  if (options.json) printJson(snapshot);
  else console.log(describe(snapshot, Date.now()));
  return EXIT.fine;
}

const MESSAGE = 60;

export function describe(snapshot: Snapshot, now: number): string {
  const {supervisor, counts} = snapshot;
  const since = span(now - Date.parse(supervisor.started_at));
  const parts = [
    `process ${supervisor.pid}, version ${supervisor.version}, up for ${since}` +
      `${supervisor.is_shutting_down ? ', shutting down' : ''}`,
    `${counts.running} running, ${counts.stopping} stopping, ${counts.retrying} retrying, ` +
      `${counts.held} held, ${counts.waiting} waiting${ifAny(counts.dismissed, 'dismissed')}` +
      `${ifAny(counts.kept, 'kept')}; ` +
      `${totalTokens(snapshot, String)} tokens in total`,
    ...(snapshot.last_error === null ? [] : [`last error: ${plain(snapshot.last_error)}`]),
    ...snapshot.projects.flatMap(leftOut),
    ...leftProcesses(snapshot).map(({message}) => plain(message)),
    ...sections(snapshot, now),
  ];
  return parts.join('\n');
}

/** `ready 0.50.0`; an agent that only roles have is named by its kind. */
function checkedAgent(agent: ProjectRow['agent'] & {readonly kind?: string}): string {
  const parts = [agent.kind, agent.status, agent.version];
  return parts.filter((part) => part != null).join(' ');
}

function leftOut({name, tracker: {malformed}}: ProjectRow): string[] {
  if (malformed === null) return [];
  const {count, examples} = malformed;
  return [`${plain(name)}: ${count} unreadable: ${plain(examples.join('; '))}`];
}

function sections(snapshot: Snapshot, now: number): string[] {
  const {projects, running, stopping, retrying, held, waiting, kept, dismissed, counts} = snapshot;
  return [
    section(
      ['PROJECT', 'TRACKER', 'SLOTS', 'AGENT', 'DISPATCH'],
      projects.map((project) => [
        project.name,
        project.tracker.kind,
        `${project.slots.used}/${project.slots.limit}`,
        [project.agent, ...project.other_agents].map(checkedAgent).join(', '),
        cut(project.dispatch_block ?? 'on', MESSAGE),
      ]),
    ),
    section(
      ['RUNNING', 'STATE', 'ROLE', 'AGENT', 'PHASE', 'TURN', 'TOKENS', 'FOR', 'LAST MESSAGE'],
      running.map((row) => [
        row.issue_identifier,
        row.state,
        roleWords(row),
        agentWords(row),
        row.phase,
        String(row.turn_count),
        tokens(row, String),
        span(now - Date.parse(row.started_at)),
        cut(row.last_message ?? row.last_event ?? '', MESSAGE),
      ]),
    ),
    section(
      ['STOPPING', 'STATE', 'ROLE', 'WAITS FOR', 'THEN'],
      stopping.map((row) => [row.issue_identifier, row.state, roleWords(row), row.step, row.next]),
    ),
    section(
      ['RETRYING', 'STATE', 'ROLE', 'KIND', 'ATTEMPT', 'DUE IN', 'ERROR'],
      retrying.map((row) => [
        row.issue_identifier,
        row.state,
        roleWords(row),
        row.kind,
        String(row.attempt ?? '–'),
        span(Date.parse(row.due_at) - now),
        cut(row.error ?? '', MESSAGE),
      ]),
    ),
    section(
      ['HELD', 'STATE', 'ROLE', 'REASON', 'FOR', 'QUESTION OR MESSAGE'],
      held.map((row) => [
        row.issue_identifier,
        row.state,
        roleWords(row),
        row.reason,
        span(now - Date.parse(row.since)),
        cut(row.question ?? row.message, MESSAGE),
      ]),
    ),
    section(
      ['WAITING', 'STATE', 'ROLE', 'REASON'],
      waiting.map((row) => [
        row.issue_identifier,
        row.state,
        roleWords(row),
        cut(row.reason, MESSAGE),
      ]),
    ),
    andMore(counts.waiting - waiting.length),
    section(
      ['DISMISSED', 'STATE', 'ROLE', 'FOR', 'TITLE'],
      dismissed.map((row) => [
        row.issue_identifier,
        row.state,
        roleWords(row),
        span(now - Date.parse(row.since)),
        cut(row.issue_title, MESSAGE),
      ]),
    ),
    andMore(counts.dismissed - dismissed.length),
    section(
      ['KEPT', 'STATE', 'FOR', 'HOLDS', 'WORKSPACE'],
      kept.map((row) => [
        row.issue_identifier,
        row.state,
        span(now - Date.parse(row.since)),
        cut(row.reason, MESSAGE),
        row.workspace_path,
      ]),
    ),
    andMore(counts.kept - kept.length),
  ].filter((text) => text !== '');
}

function ifAny(count: number, what: string): string {
  return count > 0 ? `, ${count} ${what}` : '';
}

function andMore(notShown: number): string {
  return notShown > 0 ? `… and ${notShown} more` : '';
}

function section(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `\n${table(head, rows)}`;
}
