import type {Issue, RunnerReport, RunResult} from '@symphony-supervisor/protocol';

/** Prints the reports of a run. Repeated lines are printed once. */
export class ProgressPrinter {
  readonly #write: (line: string) => void;
  readonly #maxTurns: number;
  #lastMessage: string | null = null;

  constructor(write: (line: string) => void, maxTurns: number) {
    this.#write = write;
    this.#maxTurns = maxTurns;
  }

  issue(issue: Issue): void {
    this.#write(`${plain(issue.identifier)}  ${plain(issue.title)}  [${plain(issue.state)}]`);
  }

  report(report: RunnerReport): void {
    const line = this.#lineFor(report);
    if (line !== null) this.#write(`  ${plain(line)}`);
  }

  result(identifier: string, result: RunResult, transcriptPath: string): void {
    const {outcome, failure, question, turns, usage, evidence} = result;
    this.#write('');
    this.#write(
      `${plain(identifier)} ${outcome} after ${turns} ${turns === 1 ? 'turn' : 'turns'}, ` +
        `${usage.total_tokens} tokens`,
    );
    if (failure !== null) this.#write(`  ${failure.code}: ${plain(failure.message)}`);
    if (question !== null) this.#write(`  The agent asks: ${plain(question)}`);
    if (evidence !== null && !Object.values(evidence).includes(true)) {
      this.#write('  Nothing was changed.');
    }
    this.#write(`  transcript: ${transcriptPath}`);
  }

  #lineFor(report: RunnerReport): string | null {
    switch (report.type) {
      case 'workspace':
        return `workspace ${report.path}${report.created ? ' (new)' : ''}`;
      case 'hook_started':
        return `${report.hook} …`;
      case 'hook_ended':
        return report.failure === null
          ? `${report.hook} done in ${report.duration_ms} ms`
          : `${report.hook} failed: ${report.failure.message}`;
      case 'agent_started':
        return `agent started, pid ${report.pid}`;
      case 'turn_started':
        return `turn ${report.turn} of ${this.#maxTurns}, session ${report.session_id}`;
      case 'agent':
        return this.#news(report.progress.message);
      case 'note':
        return `note: ${report.message}`;
      case 'trash_stuck':
        return `note: ${report.path} cannot be deleted: ${report.reason}`;
      default:
        return null;
    }
  }

  #news(message: string | null): string | null {
    if (message === null || message === this.#lastMessage) return null;
    this.#lastMessage = message;
    return `  ${message}`;
  }
}

/** Agents and trackers may send control bytes for a terminal. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').replaceAll('\n', '\n    ');
}
