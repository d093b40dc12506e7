import * as z from 'zod/mini';

const json = z.record(z.string(), z.json());

/** What only Codex knows. The values are Codex's own and are passed through. */
export const CodexOptions = z.object({
  kind: z.literal('codex'),
  approval_policy: z.union([z.string(), json]),
  thread_sandbox: z.string(),
  /** null: our default. */
  turn_sandbox_policy: z.nullable(json),
});
export type CodexOptions = z.infer<typeof CodexOptions>;
