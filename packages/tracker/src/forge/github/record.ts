import * as z from 'zod/mini';

// What GitHub sends, as far as it is relied upon.

const text = z.catch(z.nullable(z.string()), null);
const Actor = z.catch(z.nullable(z.object({__typename: z.string(), login: z.string()})), null);

const pageOf = <T extends z.core.$ZodType>(node: T) =>
  z.object({
    nodes: z.array(node),
    pageInfo: z.object({hasNextPage: z.boolean(), endCursor: z.nullable(z.string())}),
  });

const CheckRun = z.object({
  __typename: z.literal('CheckRun'),
  databaseId: z.nullable(z.int()),
  name: z.string(),
  status: z.string(),
  conclusion: z.nullable(z.string()),
  detailsUrl: text,
  startedAt: text,
  checkSuite: z.catch(
    z.nullable(
      z.object({
        workflowRun: z.nullable(z.object({event: z.string(), workflow: z.object({name: text})})),
      }),
    ),
    null,
  ),
});

const StatusContext = z.object({
  __typename: z.literal('StatusContext'),
  id: z.string(),
  context: z.string(),
  state: z.string(),
  targetUrl: text,
  createdAt: text,
});

export const CheckNode = z.discriminatedUnion('__typename', [CheckRun, StatusContext]);
export type CheckNode = z.infer<typeof CheckNode>;

export const Rollup = z.nullable(
  z.object({commit: z.nullable(z.object({oid: z.string()})), contexts: pageOf(CheckNode)}),
);
export type Rollup = z.infer<typeof Rollup>;

export const ThreadNode = z.object({
  id: z.string(),
  isResolved: z.boolean(),
  isOutdated: z.boolean(),
  path: text,
  line: z.catch(z.nullable(z.int()), null),
});
export type ThreadNode = z.infer<typeof ThreadNode>;

const Threads = pageOf(ThreadNode);

const authored = {author: Actor, authorAssociation: text, viewerDidAuthor: z.boolean()};
export type Authored = z.infer<ReturnType<typeof z.object<typeof authored>>>;

export const ReviewNode = z.object({
  id: z.string(),
  state: z.string(),
  body: z.string(),
  submittedAt: text,
  commit: z.nullable(z.object({oid: z.string()})),
  ...authored,
});
export type ReviewNode = z.infer<typeof ReviewNode>;

export const PullNode = z.object({
  number: z.int(),
  title: z.string(),
  url: text,
  state: z.enum(['OPEN', 'MERGED', 'CLOSED']),
  isDraft: z.boolean(),
  mergeable: z.string(),
  mergeStateStatus: z.string(),
  reviewDecision: z.nullable(z.string()),
  updatedAt: z.string(),
  headRefName: z.string(),
  headRefOid: z.string(),
  baseRefName: z.string(),
  baseRef: z.nullable(z.object({target: z.nullable(z.object({oid: z.string()}))})),
  headRepository: z.nullable(z.object({nameWithOwner: z.string()})),
  mergeCommit: z.nullable(z.object({oid: z.string()})),
  latestOpinionatedReviews: z.nullable(z.object({nodes: z.array(ReviewNode)})),
  reviewThreads: Threads,
  statusCheckRollup: Rollup,
});
export type PullNode = z.infer<typeof PullNode>;

export const NextPageNode = z.object({
  reviewThreads: z.optional(Threads),
  statusCheckRollup: z.optional(Rollup),
});

export const CommentNode = z.object({
  id: z.string(),
  body: z.string(),
  createdAt: text,
  updatedAt: text,
  url: text,
  ...authored,
});
export type CommentNode = z.infer<typeof CommentNode>;

export const ThreadComments = z.object({
  id: z.string(),
  comments: z.object({nodes: z.array(CommentNode)}),
});

/** Of the REST interface, which alone can filter by the owner of a head. */
export const RestPull = z.object({
  number: z.int(),
  html_url: text,
  state: z.enum(['open', 'closed']),
  merged_at: z.nullable(z.string()),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.nullable(z.object({full_name: z.string()})),
  }),
  base: z.object({ref: z.string()}),
});
export type RestPull = z.infer<typeof RestPull>;
