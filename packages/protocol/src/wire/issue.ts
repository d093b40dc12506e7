import * as z from 'zod/mini';

/** Another issue that must be over first. A blocker of unknown state (null) blocks. */
export const BlockerRef = z.object({
  id: z.nullable(z.string()),
  identifier: z.nullable(z.string()),
  state: z.nullable(z.string()),
});
export type BlockerRef = z.infer<typeof BlockerRef>;

/**
 * An issue as every tracker adapter delivers it. Names are in snake case because prompt templates
 * spell them this way (`issue.branch_name`).
 */
export const Issue = z.object({
  /** Opaque identity for dispatch. */
  id: z.string().check(z.minLength(1)),
  /** The human key, unique in its project. */
  identifier: z.string().check(z.minLength(1)),
  title: z.string().check(z.minLength(1)),
  description: z.nullable(z.string()),
  /** 1 is the most urgent; null is none. */
  priority: z.nullable(z.int()),
  /** In the provider's spelling; compare with `sameState`. */
  state: z.string().check(z.minLength(1)),
  branch_name: z.nullable(z.string()),
  url: z.nullable(z.string()),
  assignee_id: z.nullable(z.string()),
  /** Trimmed, lower-cased, no blanks, no duplicates. */
  labels: z.array(z.string()),
  blocked_by: z.array(BlockerRef),
  /** The adapter's own rules; states and labels are the orchestrator's business. */
  dispatchable: z.boolean(),
  /** Non-secret JSON of the provider, for prompts. */
  native_ref: z.nullable(z.json()),
  /** ISO 8601. */
  created_at: z.nullable(z.string()),
  updated_at: z.nullable(z.string()),
});
export type Issue = z.infer<typeof Issue>;

/** States are compared without regard to case and outer blanks, on every tracker. */
export function stateKey(state: string): string {
  return state.trim().toLowerCase();
}

export function sameState(a: string, b: string): boolean {
  return stateKey(a) === stateKey(b);
}
