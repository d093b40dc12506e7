import * as z from 'zod/mini';

/** A tool of the tracker adapter, as it is offered to the agent. */
export const ToolSpec = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the arguments. */
  input_schema: z.record(z.string(), z.json()),
});
export type ToolSpec = z.infer<typeof ToolSpec>;

/** What a tool call came to. A failed call is a result too: the agent reads it and goes on. */
export const ToolResult = z.object({
  success: z.boolean(),
  /** Structured, for the agent to read as JSON. */
  content: z.json(),
  /** Whether the call changed the tracker: evidence that a run was not idle. */
  wrote: z.boolean(),
});
export type ToolResult = z.infer<typeof ToolResult>;
