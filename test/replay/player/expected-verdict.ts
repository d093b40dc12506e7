import type {FailureCode, RunOutcome, RunResult} from '@symphony-supervisor/protocol';
import type {Entry, Message, Session} from '../recording.ts';
import {asksAPerson} from './asking.ts';
import {at, textAt} from './dig.ts';
import {approvalPolicyOf} from './recorded-settings.ts';

/** How a run ends, in a line: `failed in turn 1: turn_failed`. Turn 0 is before the first. */
function verdict(outcome: RunOutcome, turn: number, code: FailureCode | null = null): string {
  return `${outcome} in turn ${turn}${code === null ? '' : `: ${code}`}`;
}

export function verdictOf({outcome, turns, failure}: RunResult): string {
  return verdict(outcome, turns, failure?.code);
}

/** What our runner must make of a session, were it in the place of the client that was recorded. */
export function expectedVerdict(session: Session): string {
  const initialize = indexOfRequest(session, ['initialize'], 0);
  const greeting = answerTo(session, initialize);
  if (greeting === null) return verdict('failed', 0, endOf(session));
  if (greeting.error !== undefined) return verdict('failed', 0, 'agent_incompatible');

  let opening = indexOfRequest(session, ['thread/start', 'thread/resume'], initialize);
  if (methodAt(session, opening) === 'thread/resume' && answerTo(session, opening)?.error) {
    opening = indexOfRequest(session, ['thread/start'], opening);
  }
  const opened = answerTo(session, opening);
  if (opened === null) return verdict('failed', 0, endOf(session));
  if (opened.error !== undefined) return verdict('failed', 0, refusal(opened));
  return verdictOfTurns(session, opening, textAt(opened.result, 'thread', 'id') ?? '');
}

function verdictOfTurns(session: Session, opening: number, threadId: string): string {
  let start = indexOfRequest(session, ['turn/start'], opening);
  // Our client begins a turn in any case; a Codex that was not asked to has gone by then.
  if (start === -1) return verdict('failed', 1, endOf(session));
  for (let turn = 1; ; turn++) {
    const next = indexOfRequest(session, ['turn/start'], start + 1);
    const answer = answerTo(session, start);
    if (answer?.error !== undefined) return verdict('failed', turn, refusal(answer));
    const during = session.slice(start, next === -1 ? session.length : next);
    const end = verdictOfTurn(during, turn, threadId, approvalPolicyOf(session), endOf(session));
    if (end !== null) return end;
    if (next === -1) return verdict('succeeded', turn);
    start = next;
  }
}

/** null: completed. */
function verdictOfTurn(
  during: Session,
  turn: number,
  threadId: string,
  policy: unknown,
  exitCode: FailureCode,
): string | null {
  const completion = during.findIndex(
    (entry) =>
      entry.is === 'said' &&
      entry.message.method === 'turn/completed' &&
      textAt(entry.message.params, 'threadId') === threadId,
  );
  const before = completion === -1 ? during : during.slice(0, completion);
  if (before.some((entry) => entry.is === 'said' && isQuestion(entry.message, policy))) {
    return verdict('input_required', turn, 'turn_input_required');
  }
  const interrupt = indexOfRequest(before, ['turn/interrupt'], 0);
  const completed = during[completion];
  const wasLeft = interrupt !== -1 || completed === undefined;
  if (wasLeft && isWithoutNetwork(before.slice(0, interrupt === -1 ? before.length : interrupt))) {
    return verdict('timed_out', turn, 'turn_timeout');
  }
  if (interrupt !== -1) return verdict('stopped_by_operator', turn);
  if (completed?.is !== 'said') return verdict('failed', turn, exitCode);
  const status = textAt(completed.message.params, 'turn', 'status');
  if (status === 'completed') return null;
  if (status === 'interrupted') return verdict('failed', turn, 'turn_cancelled');
  return verdict('failed', turn, codeOf(at(completed.message.params, 'turn', 'error')));
}

function isQuestion({id, method}: Message, policy: unknown): boolean {
  return id !== undefined && asksAPerson(method, policy);
}

/** The last that was said is that it will be tried again: so it would go on for ever. */
function isWithoutNetwork(before: Session): boolean {
  const said = before.findLast((entry) => entry.is === 'said');
  return said?.is === 'said' && at(said.message.params, 'willRetry') === true;
}

function codeOf(error: unknown): FailureCode {
  const info = at(error, 'codexErrorInfo');
  if (info === 'contextWindowExceeded') return 'context_window_exceeded';
  if (info === 'usageLimitExceeded') return 'usage_limit';
  if (info === 'unauthorized') return 'unauthorized';
  if (/"httpStatusCode":40[13]\b/.test(JSON.stringify(info))) return 'unauthorized';
  const message = textAt(error, 'message') ?? '';
  return message.startsWith('Missing environment variable') ? 'unauthorized' : 'turn_failed';
}

/** Refusals that the next issue would meet as well, and the others. */
function refusal({error}: Message): FailureCode {
  const theSameForAll = /^Invalid request|^failed to load configuration|requires experimentalApi/;
  return theSameForAll.test(error?.message ?? '') ? 'agent_incompatible' : 'response_error';
}

function endOf(session: Session): FailureCode {
  const last = session.findLast((entry) => entry.is === 'exit');
  return last?.is === 'exit' && [126, 127].includes(last.exit.code)
    ? 'agent_not_found'
    : 'port_exit';
}

function indexOfRequest(session: Session, methods: readonly string[], from: number): number {
  if (from === -1) return -1;
  return session.findIndex(
    (entry, index) =>
      index >= from && entry.is === 'client-request' && methods.includes(entry.method),
  );
}

function methodAt(session: Session, index: number): string | null {
  const entry = session[index];
  return entry?.is === 'client-request' ? entry.method : null;
}

function answerTo(session: Session, index: number): Message | null {
  const request = session[index];
  if (request?.is !== 'client-request') return null;
  const answer = session.find(
    (entry): entry is Extract<Entry, {is: 'said'}> =>
      entry.is === 'said' && entry.message.method === undefined && entry.message.id === request.id,
  );
  return answer?.message ?? null;
}
