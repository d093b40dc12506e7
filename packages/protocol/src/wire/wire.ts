import * as z from 'zod/mini';
import {HostAnswer, HostCall} from './host-call.ts';
import {StopReason} from './run.ts';
import {RunJob} from './run-job.ts';
import {RunnerReport} from './runner-report.ts';

/** Everything a runner may say. */
export const FromRunner = z.discriminatedUnion('to', [
  z.object({to: z.literal('report'), report: RunnerReport}),
  z.object({to: z.literal('ask'), call: HostCall}),
]);
export type FromRunner = z.infer<typeof FromRunner>;

/** Everything a runner may be told. */
export const ToRunner = z.discriminatedUnion('order', [
  z.object({
    order: z.literal('start'),
    job: RunJob,
    /** What hooks and agents start with; absent: what the runner itself started with. Never on record. */
    environment: z.optional(z.record(z.string(), z.string())),
  }),
  z.object({
    order: z.literal('stop'),
    reason: StopReason,
    /** Where time is short: from now on all of it, `after_run` included, has to be over within this. */
    within_ms: z.optional(z.number().check(z.minimum(0))),
  }),
  z.object({order: z.literal('answer'), answer: HostAnswer}),
]);
export type ToRunner = z.infer<typeof ToRunner>;
