import {type Usage, usageBeyond} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey} from '../core/claim.ts';
import type {Decision} from '../core/draft.ts';
import type {Effect} from '../core/effect.ts';
import type {Event} from '../core/event.ts';
import type {State} from '../core/state.ts';
import {projectOf} from '../shell/trackers/tracker-work.ts';
import type {Instruments} from './instruments.ts';

/**
 * What one decision adds to the counters. Called for every event, so it does a few look-ups only.
 */
export function countDecision(
  to: Instruments,
  ticks: TickClock,
  before: State,
  event: Event,
  {state: after, effects}: Decision,
): void {
  if (event.type === 'runner.reported') countTokens(to, before, after, event.key);
  if (event.type === 'claimed.read') countRead(to, event.project, 'claimed', event.answer.ok);
  if (event.type === 'candidates.read') countRead(to, event.project, 'candidates', event.answer.ok);
  if (event.type === 'issue.read') countRead(to, projectOf(event.key), 'issue', event.answer.ok);
  if (before.projects !== after.projects) ticks.note(to, before, after, event.at);
  for (const effect of effects) countEffect(to, before, after, effect);
}

function countRead(to: Instruments, project: string, read: string, ok: boolean): void {
  to.reads.inc({project, read, result: ok ? 'ok' : 'failed'});
}

function countEffect(to: Instruments, before: State, after: State, effect: Effect): void {
  if (effect.do === 'start-run') to.dispatches.inc({project: projectOf(effect.key)});
  else if (effect.do === 'record-run') {
    const {key, outcome, failure, startedAt, endedAt, usage} = effect.record;
    const project = projectOf(key);
    to.exits.inc({project, outcome, failure: failure ?? 'none'});
    to.runSeconds.observe({project, outcome}, Math.max(0, endedAt - startedAt) / 1000);
    // Known with the result only.
    addTokens(to, project, usageBeyond(usageOf(before.claims.get(key)) ?? usage, usage));
  } else if (effect.do === 'set-timer' && effect.timer.startsWith('retry ')) {
    countRetry(to, before, after, effect.timer.slice('retry '.length));
  }
}

/** A rescheduled retry is not a new one. */
function countRetry(to: Instruments, before: State, after: State, key: ClaimKey): void {
  const former = before.claims.get(key);
  const claim = after.claims.get(key);
  if (claim?.is !== 'retrying' || former?.is === 'retrying') return;
  to.retries.inc({project: claim.project, kind: claim.kind, cause: causeOf(former)});
}

function causeOf(former: Claim | undefined): string {
  if (former?.is === 'held') return 'operator';
  if (former?.is !== 'stopping') return 'none';
  const {next} = former;
  return next.do === 'retry' || next.do === 'wait' ? next.failure.code : 'none';
}

function countTokens(to: Instruments, before: State, after: State, key: ClaimKey): void {
  const known = usageOf(before.claims.get(key));
  const now = usageOf(after.claims.get(key));
  if (known === null || now === null || known === now) return;
  addTokens(to, projectOf(key), usageBeyond(known, now));
}

function usageOf(claim: Claim | undefined): Usage | null {
  return claim !== undefined && 'run' in claim ? (claim.run?.usage ?? null) : null;
}

function addTokens(to: Instruments, project: string, usage: Usage): void {
  const {input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens} = usage;
  to.tokens.inc({project, type: 'input'}, input_tokens);
  to.tokens.inc({project, type: 'cached_input'}, cached_input_tokens);
  to.tokens.inc({project, type: 'output'}, output_tokens);
  to.tokens.inc({project, type: 'reasoning_output'}, reasoning_output_tokens);
}

/** Duration of ticks: from leaving the wait for the next tick to waiting again. */
export class TickClock {
  readonly #begunAt = new Map<string, number>();

  note(to: Instruments, before: State, after: State, at: number): void {
    for (const [project, {poll}] of after.projects) {
      const former = before.projects.get(project)?.poll;
      if (former === poll) continue;
      const wasAtRest = former === undefined || former.is === 'waiting';
      const begunAt = this.#begunAt.get(project);
      // A tick requested during another follows it at once and counts as a new one.
      const isOver = !wasAtRest && (poll.is === 'waiting' || beginsAgain(former, poll));
      if (isOver && begunAt !== undefined) {
        to.tickSeconds.observe({project}, Math.max(0, at - begunAt) / 1000);
      }
      if (poll.is === 'waiting') this.#begunAt.delete(project);
      else if (wasAtRest || isOver) this.#begunAt.set(project, at);
    }
  }
}

type Poll = State['projects'] extends ReadonlyMap<string, {readonly poll: infer P}> ? P : never;

function beginsAgain(former: Poll, poll: Poll): boolean {
  return former.is === 'reading-candidates' && poll.is === 'reading-claimed';
}
