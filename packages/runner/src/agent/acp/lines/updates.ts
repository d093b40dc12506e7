import {
  type AgentLine,
  cutText,
  type Loose,
  list,
  loose,
  numberOrNull,
  type PlanStep,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';
import type {SessionOptions} from '../../agent.ts';
import type {Streamed} from '../../wire/delta-lines.ts';
import {ToolCalls} from './tool-calls.ts';

/** Told by agents that wait as well as by those that work, or of the session instead of the work. */
const NO_SIGNS_OF_LIFE: readonly unknown[] = [
  ...['available_commands_update', 'usage_update', 'session_info_update', 'notice'],
  ...['current_mode_update', 'config_option_update', 'user_message_chunk'],
];
/** More of a message than is shown; the pieces themselves are all in the transcript. */
const KEPT_CHARACTERS = 200_000;

interface Saying {
  readonly ev: 'message' | 'reasoning';
  readonly messageId: unknown;
  readonly id: string;
  text: string;
}

/** Writes what an agent says and does into the transcript, in neutral words, and tells those who watch. */
export class UpdateReader {
  readonly #options: Pick<SessionOptions, 'transcript' | 'progress'>;
  readonly #calls = new ToolCalls();
  #saying: Saying | null = null;
  #items = 0;
  #cost: string | null = null;
  #wentOn = false;

  constructor(options: Pick<SessionOptions, 'transcript' | 'progress'>) {
    this.#options = options;
  }

  /** What the agent says its conversation has cost. Only shown: what it counts is not known. */
  get cost(): string | null {
    return this.#cost;
  }

  /** Whether it has said or begun anything since this was last asked. */
  get wentOn(): boolean {
    const wentOn = this.#wentOn;
    this.#wentOn = false;
    return wentOn;
  }

  decline(toolCallId: string): void {
    this.#calls.decline(toolCallId);
  }

  /** Pieces of a message or of a thought, which always prove life. */
  streamed({params, text: said, pieces}: Streamed): void {
    const {sessionUpdate, messageId} = loose(params.update);
    const ev = sessionUpdate === 'agent_thought_chunk' ? 'reasoning' : 'message';
    let saying = this.#saying;
    if (saying?.ev !== ev || saying.messageId !== messageId) {
      this.finishSaying();
      saying = {ev, messageId, id: `said-${this.#items++}`, text: ''};
      this.#saying = saying;
    }
    if (said !== '') this.#wentOn = true;
    saying.text = (saying.text + said).slice(-KEPT_CHARACTERS);
    this.#options.transcript.streamed(ev, saying.id, said);
    this.#options.progress.streamed(said, pieces);
  }

  /** Any other update. Says whether it proves life. */
  take(update: Loose): boolean {
    const isSignOfLife = provesLife(update);
    const line = this.#lineOf(update);
    if (line !== null) this.#options.transcript.line(line);
    const message = line === null ? null : messageOf(line);
    this.#options.progress.heard({event: 'notification', message, isSignOfLife});
    return isSignOfLife;
  }

  /** Nothing more comes of the message that is being said. */
  finishSaying(): void {
    const saying = this.#saying;
    this.#saying = null;
    if (saying === null || saying.text === '') return;
    const {ev, id, text: said} = saying;
    this.#options.transcript.line({ev, id, text: cutText(said), done: true});
    if (ev === 'reasoning') return;
    this.#options.progress.heard({event: 'notification', message: said, isSignOfLife: true});
  }

  turnEnded(): void {
    this.finishSaying();
    this.#calls.end();
  }

  #lineOf(update: Loose): AgentLine | null {
    switch (update.sessionUpdate) {
      case 'tool_call':
      case 'tool_call_update':
        if (this.#calls.begins(update)) this.#begins();
        return this.#calls.take(update);
      case 'plan':
        this.#begins();
        return {ev: 'plan', steps: list(update.entries).map(planStep), explanation: null};
      case 'usage_update':
        this.#cost = costOf(loose(update.cost)) ?? this.#cost;
        return null;
      case 'notice':
        return noticeOf(update);
      case 'compaction_update':
        return update.status === 'completed'
          ? {ev: 'notice', level: 'info', text: 'the conversation was compacted'}
          : null;
      default:
        return null; // also those of later versions
    }
  }

  #begins(): void {
    this.finishSaying();
    this.#wentOn = true;
  }
}

/** Also of a helper, whose words are not shown. */
export function provesLife({sessionUpdate}: Loose): boolean {
  return !NO_SIGNS_OF_LIFE.includes(sessionUpdate);
}

function planStep(entry: unknown): PlanStep {
  const {content, status} = loose(entry);
  const isKnown = status === 'completed' || status === 'in_progress';
  return {step: cutText(text(content)), status: isKnown ? status : 'pending'};
}

function costOf({amount, currency}: Loose): string | null {
  const known = numberOrNull(amount);
  return known === null ? null : `${known} ${text(currency)}`.trim();
}

function noticeOf({title, description, severity}: Loose): AgentLine {
  const said = [title, description].flatMap((part) => textOrNull(part) ?? []).join('\n');
  const level = severity === 'error' ? 'error' : severity === 'warning' ? 'warn' : 'info';
  return {ev: 'notice', level, text: cutText(said)};
}

function messageOf(line: AgentLine): string | null {
  switch (line.ev) {
    case 'command':
      return line.exit_code === null || line.exit_code === 0
        ? `$ ${line.command}`
        : `$ ${line.command} (exit ${line.exit_code})`;
    case 'file_change':
      return `changed ${line.changes.map(({path}) => path).join(', ')}`;
    case 'tool':
      return `called ${line.name}`;
    case 'plan':
      return 'updated its plan';
    case 'notice':
      return line.text;
    default:
      return null;
  }
}
