import * as z from 'zod/mini';

/** The parts of the Agent Client Protocol that we read. Everything else passes unread into the transcript. */

const nullableText = z.optional(z.nullable(z.string()));
/** A capability without details is an empty object, or true. */
const capability = z.optional(z.nullable(z.unknown()));

export const InitializeResult = z.object({
  protocolVersion: z.unknown(),
  agentCapabilities: z.optional(
    z.nullable(
      z.object({
        loadSession: capability,
        mcpCapabilities: z.optional(z.nullable(z.object({http: capability}))),
        sessionCapabilities: z.optional(z.nullable(z.object({resume: capability}))),
      }),
    ),
  ),
  agentInfo: z.optional(z.nullable(z.object({name: nullableText, version: nullableText}))),
  authMethods: z.optional(
    z.nullable(z.array(z.object({name: nullableText, description: nullableText}))),
  ),
});
export type InitializeResult = z.infer<typeof InitializeResult>;

/** Of `session/new`. An agent that resumes sends the rest without the id. */
export const NewSessionResult = z.object({sessionId: z.string().check(z.minLength(1))});

export const PromptResult = z.object({stopReason: z.string()});

export const ToolCallFields = z.looseObject({
  toolCallId: nullableText,
  name: nullableText,
  title: nullableText,
  kind: nullableText,
});
export type ToolCallFields = z.infer<typeof ToolCallFields>;

export const PermissionRequest = z.object({
  toolCall: ToolCallFields,
  options: z.array(z.looseObject({optionId: z.string(), kind: z.string()})),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export const Elicitation = z.object({message: z.string()});
