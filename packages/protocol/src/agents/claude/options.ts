import * as z from 'zod/mini';

/** What only Claude Code knows. Modes and rules are its own words and are passed through. */
export const ClaudeOptions = z.object({
  kind: z.literal('claude'),
  permission_mode: z.string(),
  /** Rules for tools, added to our own. */
  allowed_tools: z.array(z.string()),
  disallowed_tools: z.array(z.string()),
  /** What becomes of a call that neither mode nor rules allow. */
  on_permission: z.enum(['deny', 'ask']),
  /** The sandbox around its shell commands. `auto`: where the machine has one. */
  sandbox: z.enum(['auto', 'on', 'off']),
  /** Of one request to the model. */
  max_retries: z.int().check(z.minimum(0)),
});
export type ClaudeOptions = z.infer<typeof ClaudeOptions>;
