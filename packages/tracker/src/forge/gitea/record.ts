import * as z from 'zod/mini';

// What Gitea and Forgejo send, as far as it is relied upon.

const text = z.catch(z.nullable(z.string()), null);
export const User = z.object({login: z.string()});
export type User = z.infer<typeof User>;

const End = z.object({ref: z.string(), sha: z.string(), repo_id: z.int()});

export const Pull = z.object({
  number: z.int(),
  title: z.string(),
  html_url: text,
  state: z.enum(['open', 'closed']),
  draft: z.catch(z.boolean(), false),
  merged: z.boolean(),
  merge_commit_sha: z.optional(text),
  mergeable: z.boolean(),
  head: End,
  base: End,
  updated_at: z.string(),
});
export type Pull = z.infer<typeof Pull>;

export const Status = z.object({
  context: z.string(),
  status: z.string(),
  target_url: text,
  description: text,
});
export type Status = z.infer<typeof Status>;
export const CombinedStatus = z.object({statuses: z.nullable(z.array(Status))});

export const Review = z.object({
  id: z.int(),
  // null: a team was asked.
  user: z.nullable(User),
  state: z.string(),
  body: z.string(),
  commit_id: z.string(),
  dismissed: z.boolean(),
  comments_count: z.int(),
  submitted_at: text,
});
export type Review = z.infer<typeof Review>;

export const ReviewComment = z.object({
  id: z.int(),
  user: z.nullable(User),
  body: z.string(),
  path: z.string(),
  /** A line of the new side; 0: it is about the old side. */
  position: z.int(),
  original_position: z.int(),
  commit_id: text,
  resolver: z.optional(z.nullable(User)),
  created_at: text,
  updated_at: text,
  html_url: text,
});
export type ReviewComment = z.infer<typeof ReviewComment>;

export const Runs = z.object({workflow_runs: z.nullable(z.array(z.object({id: z.int()})))});
export const Job = z.object({id: z.int(), name: z.string(), conclusion: text});
export const Jobs = z.object({jobs: z.nullable(z.array(Job))});
