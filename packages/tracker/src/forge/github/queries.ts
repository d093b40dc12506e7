// Every GraphQL document that is sent. The tests check them against GitHub's published schema.

/**
 * So many pull requests in one query: 500 of them take eight requests, and a query stays far below
 * GitHub's time limit of ten seconds.
 */
export const PULLS_A_QUERY = 64;
/** The most that GitHub allows. */
export const NODES_A_QUERY = 100;

const CHECK = `
  __typename
  ... on CheckRun {
    databaseId name status conclusion detailsUrl startedAt
    checkSuite { workflowRun { event workflow { name } } }
  }
  ... on StatusContext { id context state targetUrl createdAt }`;

const ROLLUP = (after: string | null) => `statusCheckRollup {
      commit { oid }
      contexts(first: 100${after === null ? '' : `, after: ${JSON.stringify(after)}`}) {
        nodes { ...check }
        pageInfo { hasNextPage endCursor }
      }
    }`;

/** Without comments: a connection in a connection costs as many points as it has nodes. */
const THREADS = (
  after: string | null,
) => `reviewThreads(first: 100${after === null ? '' : `, after: ${JSON.stringify(after)}`}) {
      nodes { id isResolved isOutdated path line }
      pageInfo { hasNextPage endCursor }
    }`;

export function pullRequestsByNumbers(numbers: readonly number[]): string {
  const aliases = numbers.map(
    (number) => `    ${aliasOf(number)}: pullRequest(number: ${number}) { ...pull }`,
  );
  return `query PullRequests($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
${aliases.join('\n')}
  }
}
fragment pull on PullRequest {
    number title url state isDraft mergeable mergeStateStatus reviewDecision updatedAt
    headRefName headRefOid baseRefName
    baseRef { target { oid } }
    headRepository { nameWithOwner }
    mergeCommit { oid }
    latestOpinionatedReviews(first: 100) {
      nodes {
        id state body submittedAt authorAssociation viewerDidAuthor
        author { __typename login }
        commit { oid }
      }
    }
    ${THREADS(null)}
    ${ROLLUP(null)}
}
fragment check on StatusCheckRollupContext {${CHECK}
}`;
}

/** What the first page of a pull request had no room for. */
export interface NextPage {
  readonly number: number;
  readonly checksAfter: string | null;
  readonly threadsAfter: string | null;
}

export function nextPages(pages: readonly NextPage[]): string {
  const aliases = pages.map(({number, checksAfter, threadsAfter}) => {
    const parts = [
      ...(checksAfter === null ? [] : [ROLLUP(checksAfter)]),
      ...(threadsAfter === null ? [] : [THREADS(threadsAfter)]),
    ];
    return `    ${aliasOf(number)}: pullRequest(number: ${number}) {\n    ${parts.join('\n    ')}\n    }`;
  });
  const isWithChecks = pages.some(({checksAfter}) => checksAfter !== null);
  return `query NextPages($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
${aliases.join('\n')}
  }
}${isWithChecks ? `\nfragment check on StatusCheckRollupContext {${CHECK}\n}` : ''}`;
}

/** The last comments of a thread: what came after ours is at the end. */
export const THREAD_COMMENTS = `query ThreadComments($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on PullRequestReviewThread {
      id
      comments(last: 50) {
        nodes {
          id body createdAt updatedAt url authorAssociation viewerDidAuthor
          author { __typename login }
        }
      }
    }
  }
}`;

export function checksOfCommits(shas: readonly string[]): string {
  const aliases = shas.map(
    (sha, index) =>
      `    c${index}: object(oid: ${JSON.stringify(sha)}) { ... on Commit { oid ${ROLLUP(null)} } }`,
  );
  return `query ChecksOfCommits($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
${aliases.join('\n')}
  }
}
fragment check on StatusCheckRollupContext {${CHECK}
}`;
}

/** Newest first, as far as pages of a hundred go. */
export const COMMENTS = `query Comments($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(last: 100, before: $before) {
        nodes { body viewerDidAuthor }
        pageInfo { hasPreviousPage startCursor }
      }
    }
  }
}`;

export function aliasOf(number: number): string {
  return `pr${number}`;
}
