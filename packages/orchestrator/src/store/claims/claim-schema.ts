import {
  Failure,
  FailureCode,
  Issue,
  RunOutcome,
  RunPhase,
  RunResult,
  StopReason,
  ThreadRecord,
  Usage,
} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import type {Claim} from '../../core/claim.ts';
import type {Agree} from './agree.ts';

const text = z.nullable(z.string());
const instant = z.number();

const Run = z.object({
  id: z.string(),
  host: z.string(),
  role: z.string(),
  attempt: z.nullable(z.int()),
  retry: z.nullable(z.enum(['continuation', 'failure'])),
  lastError: text,
  counts: z.boolean(),
  startedAt: instant,
  phase: RunPhase,
  step: z.enum(['reading', 'marking', 'forking', 'live', 'over']),
  process: z.nullable(z.object({pid: z.int(), startedAt: z.string()})),
  agentPid: z.nullable(z.int()),
  sessionId: text,
  turn: z.int(),
  agent: z.optional(z.string()),
  model: z.optional(text),
  isMeasured: z.boolean(),
  isPartial: z.optional(z.boolean()),
  usage: Usage,
  lastHeardAt: z.nullable(instant),
  signsOfLife: z.int(),
  heartbeatAt: instant,
  lastEvent: text,
  lastMessage: text,
  lastEventAt: z.nullable(instant),
  callsUnderWay: z.int(),
  movedTo: text,
  conflicts: z.int(),
  result: z.nullable(RunResult),
});

const common = {
  project: z.string(),
  scope: z.int(),
  issue: Issue,
  authorRole: z.string(),
  failures: z.int(),
  threadFailures: z.int(),
  thread: z.nullable(ThreadRecord),
  workspace: z.nullable(z.object({host: z.string(), path: z.string()})),
  readAt: z.number(),
  undelivered: z.nullable(Run),
  messages: z.readonly(z.array(z.object({id: z.string(), text: z.string(), at: instant}))),
};

const HoldReason = z.object({
  code: z.union([FailureCode, z.literal('stopped_by_operator')]),
  message: z.string(),
});

const Next = z.discriminatedUnion('do', [
  z.object({do: z.literal('release'), by: z.enum(['tracker', 'operator'])}),
  z.object({do: z.literal('clean')}),
  z.object({do: z.literal('continue')}),
  z.object({do: z.literal('retry'), failure: Failure}),
  z.object({do: z.literal('wait'), failure: Failure}),
  z.object({do: z.literal('deliver'), failure: Failure}),
  z.object({do: z.literal('hold'), because: HoldReason, question: text}),
  z.object({do: z.literal('dismiss')}),
  z.object({do: z.literal('resume')}),
]);

/** The schema of a stored claim. */
const ClaimSchema = z.discriminatedUnion('is', [
  z.object({is: z.literal('running'), ...common, run: Run}),
  z.discriminatedUnion('step', [
    z.object({
      is: z.literal('stopping'),
      ...common,
      run: Run,
      outcome: z.nullable(RunOutcome),
      reason: z.nullable(StopReason),
      next: Next,
      step: z.enum(['runner', 'marking', 'reading', 'handing-off', 'finishing', 'delivering']),
    }),
    z.object({
      is: z.literal('stopping'),
      ...common,
      run: z.null(),
      outcome: z.null(),
      reason: z.null(),
      next: Next,
      step: z.enum(['confirming', 'cleaning']),
    }),
  ]),
  z.object({
    is: z.literal('retrying'),
    ...common,
    kind: z.enum(['continuation', 'failure', 'resume']),
    attempt: z.nullable(z.int()),
    dueAt: instant,
    lastError: text,
    waitsFor: text,
    counts: z.boolean(),
  }),
  z.object({
    is: z.literal('held'),
    ...common,
    because: HoldReason,
    question: text,
    since: instant,
    stateThen: z.string(),
  }),
  z.object({is: z.literal('dismissed'), ...common, since: instant, isRead: z.boolean()}),
]);

type Stored = z.infer<typeof ClaimSchema>;

/** Every change of a claim's form raises this, and with it the version of the store; see `migrations.ts`. */
export const CLAIM_VERSION = 8;

const Versioned = z.object({version: z.literal(CLAIM_VERSION)});

export function parseClaim(value: unknown): Claim {
  Versioned.parse(value);
  return ClaimSchema.parse(value);
}

/** Does not compile if the core's claim and this schema differ. */
export function claimJson(claim: Claim): Agree<Claim, Stored, string> {
  const stored: Stored = claim;
  return JSON.stringify({version: CLAIM_VERSION, ...stored});
}
