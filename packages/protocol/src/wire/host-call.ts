import * as z from 'zod/mini';
import {Issue} from './issue.ts';
import {ToolResult} from './tool.ts';

/** Runner → orchestrator, the only two questions. Each gets exactly one answer with its id. */
export const HostCall = z.discriminatedUnion('ask', [
  /** Read my issue again: may I go on? */
  z.object({ask: z.literal('issue'), id: z.int()}),
  z.object({
    ask: z.literal('tool'),
    id: z.int(),
    tool: z.string(),
    arguments: z.json(),
  }),
]);
export type HostCall = z.infer<typeof HostCall>;

/** Whether to go on is the orchestrator's decision; the runner only hears it. */
export const IssueAnswer = z.object({issue: z.nullable(Issue), go_on: z.boolean()});
export type IssueAnswer = z.infer<typeof IssueAnswer>;

export const HostAnswer = z.discriminatedUnion('answer', [
  z.object({answer: z.literal('issue'), id: z.int(), value: IssueAnswer}),
  z.object({answer: z.literal('tool'), id: z.int(), value: ToolResult}),
  /** The question could not be answered: the tracker is away, or the run is being stopped. */
  z.object({answer: z.literal('refused'), id: z.int(), message: z.string()}),
]);
export type HostAnswer = z.infer<typeof HostAnswer>;
