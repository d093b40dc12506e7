import * as z from 'zod/mini';

/** The parts of Codex's messages that we read. Everything else passes unread into the transcript. */

const nullableText = z.optional(z.nullable(z.string()));
const nullableNumber = z.optional(z.nullable(z.number()));

export const InitializeResult = z.object({userAgent: z.string()});

export const AccountResult = z.object({
  account: z.optional(z.nullable(z.unknown())),
  requiresOpenaiAuth: z.boolean(),
});

/** The same for `thread/start` and `thread/resume`. Policies come back as Codex understood them. */
export const ThreadResult = z.object({
  thread: z.object({id: z.string()}),
  model: nullableText,
  approvalPolicy: z.optional(z.unknown()),
  sandbox: z.optional(z.object({type: z.string()})),
});

/** A word, or an object with one key; an open list. */
export const ErrorInfo = z.optional(z.nullable(z.unknown()));

export const TurnError = z.object({
  message: z.optional(z.string()),
  codexErrorInfo: ErrorInfo,
  additionalDetails: nullableText,
});
export type TurnError = z.infer<typeof TurnError>;

export const Turn = z.object({
  id: z.string(),
  status: z.string(),
  error: z.optional(z.nullable(TurnError)),
});
export type Turn = z.infer<typeof Turn>;

export const TurnResult = z.object({turn: Turn});
export const TurnNotice = z.object({threadId: z.string(), turn: Turn});

export const ErrorNotice = z.object({error: TurnError, willRetry: z.boolean()});

/** More than any account has; beyond it sums would no longer be exact, and the schemas would refuse them. */
const MAX_TOKENS = 1e12;
const count = z.number().check(z.minimum(0), z.maximum(MAX_TOKENS));
export const TokenUsageNotice = z.object({
  threadId: z.string(),
  tokenUsage: z.object({
    total: z.object({
      totalTokens: count,
      inputTokens: count,
      cachedInputTokens: count,
      outputTokens: count,
      reasoningOutputTokens: count,
    }),
  }),
});

const Window = z.optional(
  z.nullable(
    z.object({
      usedPercent: z.number(),
      windowDurationMins: nullableNumber,
      /** Unix seconds. */
      resetsAt: nullableNumber,
    }),
  ),
);
export const RateLimitsNotice = z.object({
  rateLimits: z.object({primary: Window, secondary: Window}),
});
export type RateLimitsNotice = z.infer<typeof RateLimitsNotice>;

export const ItemNotice = z.object({
  item: z.looseObject({id: z.optional(z.string()), type: z.string()}),
});

export const ToolCall = z.object({tool: z.string(), arguments: z.optional(z.unknown())});

export const CommandApproval = z.object({command: z.optional(z.unknown()), reason: nullableText});
export const Reasoned = z.object({reason: nullableText});

export const UserInput = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      options: z.optional(z.nullable(z.array(z.object({label: z.string()})))),
    }),
  ),
});

export const Elicitation = z.object({
  serverName: z.optional(z.string()),
  message: nullableText,
  title: nullableText,
});
