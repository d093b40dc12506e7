import * as z from 'zod/mini';

// What GitLab sends, as far as it is relied upon.

const text = z.catch(z.nullable(z.string()), null);
export const User = z.object({id: z.int(), username: z.string()});
export type User = z.infer<typeof User>;

const basic = {
  iid: z.int(),
  title: z.string(),
  web_url: text,
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  draft: z.boolean(),
  source_branch: z.string(),
  target_branch: z.string(),
  // null: the fork was deleted.
  source_project_id: z.nullable(z.int()),
  target_project_id: z.int(),
  sha: z.nullable(z.string()),
  merge_commit_sha: text,
  squash_commit_sha: text,
  detailed_merge_status: text,
  updated_at: z.string(),
};

/** As lists have it. */
export const MergeRequest = z.object(basic);
export type MergeRequest = z.infer<typeof MergeRequest>;

export const Pipeline = z.object({
  id: z.int(),
  sha: z.string(),
  status: z.string(),
  updated_at: text,
});
export type Pipeline = z.infer<typeof Pipeline>;

export const MergeRequestDetail = z.object({
  ...basic,
  head_pipeline: z.optional(z.nullable(Pipeline)),
});
export type MergeRequestDetail = z.infer<typeof MergeRequestDetail>;

export const CommitStatus = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  target_url: text,
  allow_failure: z.catch(z.boolean(), false),
});
export type CommitStatus = z.infer<typeof CommitStatus>;

export const FailedJob = z.object({id: z.int(), failure_reason: text});

export const Approvals = z.object({
  approved_by: z.array(z.object({user: User, approved_at: z.optional(text)})),
});

export const Reviewer = z.object({user: User, state: z.string()});

const Note = z.object({
  id: z.int(),
  body: z.string(),
  author: User,
  created_at: text,
  updated_at: text,
  system: z.boolean(),
  resolvable: z.boolean(),
  resolved: z.optional(z.boolean()),
  position: z.catch(
    z.optional(
      z.nullable(
        z.object({
          head_sha: text,
          new_path: text,
          new_line: z.catch(z.nullable(z.int()), null),
        }),
      ),
    ),
    null,
  ),
});
export type Note = z.infer<typeof Note>;

export const Discussion = z.object({id: z.string(), notes: z.array(Note)});
export type Discussion = z.infer<typeof Discussion>;

export const Member = z.object({username: z.string(), access_level: z.int()});
export const Branch = z.object({commit: z.object({id: z.string()})});
