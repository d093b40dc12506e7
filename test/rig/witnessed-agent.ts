import {readFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {JournalLine} from '@symphony-supervisor/scripts/journal';

const AGENT = fileURLToPath(new URL('../../scripts/dist/scripted-agent.js', import.meta.url));

/**
 * The command of a scripted agent that leaves evidence in `$HOME`: a journal, and the file `twice`,
 * should two of them ever live in one workspace at the same time. The lock behind that belongs to the
 * process itself, so the operating system says when it has ended.
 */
export function witnessedAgent(script: unknown): string {
  const json = JSON.stringify(script).replaceAll("'", `'\\''`);
  return [
    'exec 9>>"$HOME/alive-$(basename "$PWD")"',
    'flock -n 9 || echo "$PWD" >> "$HOME/twice"',
    `exec '${process.execPath}' '${AGENT}' --home "$HOME/agents" --journal "$HOME/journal" --script-json '${json}'`,
  ].join('; ');
}

/** What the agents of one issue heard and did, in all their lives. */
export async function journalOf(folder: string, issue?: string): Promise<JournalLine[]> {
  const text = await readFile(join(folder, 'journal'), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const all = lines.map((line): JournalLine => JSON.parse(line));
  return all.filter(({cwd}) => (issue === undefined ? true : basename(cwd) === issue));
}

export interface ThreadOpened {
  readonly run: string;
  readonly attempt: number | null;
  readonly how: 'thread/start' | 'thread/resume';
  /** null for a new one. */
  readonly threadId: string | null;
}

/** How each run that came so far began its conversation: as the agent saw it. */
export function threadsOpened(journal: readonly JournalLine[]): ThreadOpened[] {
  return journal.flatMap((line) => {
    if (line.report !== 'received') return [];
    const {method: how, params} = line.message;
    if (how !== 'thread/start' && how !== 'thread/resume') return [];
    const {threadId = null} = params as {threadId?: string};
    const attempt = line.attempt === '' ? null : Number(line.attempt);
    return [{run: line.run, attempt, how, threadId}];
  });
}

export function turnsCompleted(journal: readonly JournalLine[]): number {
  return journal.filter((line) => line.report === 'turn-over' && line.status === 'completed')
    .length;
}
