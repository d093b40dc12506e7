import {
  type AgentLine,
  cutText,
  type FileChange,
  type ItemStatus,
  type Loose,
  list,
  loose,
  numberOrNull,
  plain,
  shown,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';
import {changeOf} from './file-change.ts';

/** A call that has begun, with all that was told of it so far. */
interface Call {
  readonly beganAt: number;
  readonly fields: Loose;
  /** The line that was written last, so that a repetition is not written again. */
  readonly written: string;
}

/** Far more than an agent has under way; beyond it the oldest is forgotten. */
const MOST_OPEN = 1000;

/**
 * The tool calls of a turn. An agent tells of one in pieces, each with the fields that have changed; some repeat all
 * the output so far with every piece. People see its beginning and its end.
 */
export class ToolCalls {
  readonly #open = new Map<string, Call>();
  readonly #declined = new Set<string>();
  readonly #ended = new Set<string>();

  /** Whether an update begins a call. One that has ended may still be told of, and does not begin again. */
  begins({toolCallId, title, kind}: Loose): boolean {
    const id = text(toolCallId);
    const isNamed = textOrNull(title) !== null || textOrNull(kind) !== null;
    return isNamed && !this.#open.has(id) && !this.#ended.has(id);
  }

  /** A call that we refused: its end is not a failure of its own. */
  decline(id: string): void {
    this.#declined.add(id);
  }

  /** The line to write for an update; null: nothing that a person has not seen. */
  take(update: Loose): AgentLine | null {
    const id = text(update.toolCallId);
    const known = this.#open.get(id);
    if (known === undefined && !this.begins(update)) return null;
    const beganAt = known?.beganAt ?? performance.now();
    const fields = merged(known?.fields ?? {}, update);
    const line = this.#lineOf(id, fields, Math.round(performance.now() - beganAt));
    const written = JSON.stringify({...line, ms: 0});
    if (isOver(fields)) {
      this.#open.delete(id);
      this.#ended.add(id);
    } else this.#keep(id, {beganAt, fields, written});
    return written === known?.written ? null : line;
  }

  /** With a turn ends what it had under way, told or not. */
  end(): void {
    this.#open.clear();
    this.#declined.clear();
    this.#ended.clear();
  }

  #keep(id: string, call: Call): void {
    this.#open.set(id, call);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }

  #lineOf(id: string, fields: Loose, ms: number): AgentLine {
    const status = this.#statusOf(id, fields);
    const isRunning = status === 'running';
    const changes = changesOf(fields);
    if (fields.kind === 'execute') {
      return {
        ev: 'command',
        id,
        command: cutText(commandOf(fields)),
        cwd: textOrNull(loose(fields.rawInput).cwd),
        output: isRunning ? null : cutText(plain(outputOf(fields))),
        exit_code: numberOrNull(loose(loose(fields.rawOutput).metadata).exit),
        status,
        ms: isRunning ? null : ms,
      };
    }
    if (changes.length > 0) return {ev: 'file_change', id, changes, status};
    return {
      ev: 'tool',
      id,
      name: text(fields.name) || text(fields.title) || text(fields.kind) || 'a tool',
      input: cutText(shown(fields.rawInput)),
      result: isRunning ? null : cutText(outputOf(fields)) || null,
      ok: isRunning ? null : status === 'completed',
      ms: isRunning ? null : ms,
    };
  }

  #statusOf(id: string, fields: Loose): ItemStatus {
    if (fields.status === 'completed') return 'completed';
    if (fields.status !== 'failed') return 'running';
    return this.#declined.has(id) ? 'declined' : 'failed';
  }
}

/** A field that is left out, or null, has not changed. */
function merged(known: Loose, update: Loose): Loose {
  const told = Object.entries(update).filter(([, value]) => value !== null && value !== undefined);
  return {...known, ...Object.fromEntries(told)};
}

function isOver({status}: Loose): boolean {
  return status === 'completed' || status === 'failed';
}

function commandOf(fields: Loose): string {
  const {command} = loose(fields.rawInput);
  if (Array.isArray(command)) return command.map(shown).join(' ');
  return textOrNull(command) ?? text(fields.title);
}

/** The raw output is what the command printed; the content is that in a form for an editor. */
function outputOf({rawOutput, content}: Loose): string {
  const raw = loose(rawOutput);
  const printed = textOrNull(rawOutput) ?? textOrNull(raw.output) ?? textOrNull(raw.error);
  if (printed !== null) return printed;
  const texts = list(content).map((part) => text(loose(loose(part).content).text));
  const joined = texts.filter((part) => part !== '').join('\n');
  return joined === '' && rawOutput !== undefined ? shown(rawOutput) : joined;
}

const CHANGING: readonly unknown[] = ['edit', 'delete', 'move'];

/** By the diffs that came with it; else by what it says it works on. */
function changesOf(fields: Loose): readonly FileChange[] {
  const diffs = list(fields.content)
    .map(loose)
    .filter(({type}) => type === 'diff');
  if (diffs.length > 0) return diffs.map(changeOf);
  if (!CHANGING.includes(fields.kind)) return [];
  const kind = fields.kind === 'delete' ? 'delete' : 'update';
  const metadata = loose(loose(fields.rawOutput).metadata);
  const diff = text(metadata.diff) || text(loose(fields.rawInput).content);
  return list(fields.locations)
    .map((location) => text(loose(location).path))
    .filter((path) => path !== '')
    .map((path) => ({
      path,
      kind: kind === 'update' && metadata.exists === false ? 'add' : kind,
      diff: cutText(diff),
    }));
}
