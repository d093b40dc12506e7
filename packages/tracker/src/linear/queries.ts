// Every GraphQL document that we send. Linear computes the cost of a query before it answers: 0.1
// points per property, 1 per object, and a connection multiplies its content by `first`. So the
// lists inside an issue are requested in small pages, and again only where a page was full.

/** The page sizes of the lists inside an issue, and the number of issues per request. */
export interface Depth {
  readonly issues: number;
  readonly labels: number;
  readonly relations: number;
}

/** Nearly every issue is complete at the first depth. Each costs about 1 000 points at most. */
export const DEPTHS: readonly [Depth, ...Depth[]] = [
  {issues: 50, labels: 3, relations: 3},
  {issues: 10, labels: 20, relations: 20},
  {issues: 1, labels: 250, relations: 250},
];

/** One issue, about to be written to. */
export const WRITE_DEPTH: Depth = {issues: 1, labels: 50, relations: 50};

const ISSUE_FIELDS = `
fragment IssueFields on Issue {
  id identifier title description priority branchName url createdAt updatedAt archivedAt trashed
  state { name type }
  assignee { id }
  labelIds
  labels(first: $labels) { nodes { name } }
  inverseRelations(first: $relations) {
    nodes { type issue { id identifier state { name } } }
  }
}`;

export const ISSUES = `
query Issues(
  $filter: IssueFilter!, $archived: Boolean!, $first: Int!, $after: String,
  $labels: Int!, $relations: Int!
) {
  issues(filter: $filter, includeArchived: $archived, first: $first, after: $after) {
    nodes { ...IssueFields }
    pageInfo { hasNextPage endCursor }
  }
}${ISSUE_FIELDS}`;

export const ISSUE_TO_WRITE = `
query IssueToWrite($filter: IssueFilter!, $labels: Int!, $relations: Int!) {
  issues(filter: $filter, includeArchived: true, first: 1) {
    nodes { ...IssueFields team { id } }
  }
}${ISSUE_FIELDS}`;

export const VIEWER = `
query Viewer { viewer { id } }`;

export const TEAM_STATES = `
query TeamStates($team: ID!, $first: Int!, $after: String) {
  workflowStates(filter: {team: {id: {eq: $team}}}, first: $first, after: $after) {
    nodes { id name }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** Of the team, and of the whole workspace; a group of labels is none. */
export const LABELS_BY_NAME = `
query LabelsByName($filter: IssueLabelFilter!, $first: Int!, $after: String) {
  issueLabels(filter: $filter, first: $first, after: $after) {
    nodes { id name isGroup team { id } }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const UPDATE_ISSUE = `
mutation UpdateIssue($id: String!, $input: IssueUpdateInput!, $labels: Int!, $relations: Int!) {
  issueUpdate(id: $id, input: $input) {
    success
    issue { ...IssueFields }
  }
}${ISSUE_FIELDS}`;

export const CREATE_COMMENT = `
mutation CreateComment($issue: String!, $body: String!) {
  commentCreate(input: {issueId: $issue, body: $body}) { success comment { id } }
}`;

export const ATTACH_URL = `
mutation AttachUrl($issue: String!, $url: String!, $title: String) {
  attachmentLinkURL(issueId: $issue, url: $url, title: $title) { success attachment { id } }
}`;

/** Where the workflow's issues are. A project can have several teams, each with its own states. */
export const PROJECTS = `
query Projects($filter: ProjectFilter!, $first: Int!) {
  projects(filter: $filter, first: $first) {
    nodes { id name slugId teams(first: 20) { nodes { id key name } } }
  }
}`;

export const TEAMS = `
query Teams($filter: TeamFilter!, $first: Int!) {
  teams(filter: $filter, first: $first) { nodes { id key name } }
}`;

/** Only the state, so that a page can be long. */
export const ISSUE_STATES = `
query IssueStates($filter: IssueFilter!, $first: Int!, $after: String) {
  issues(filter: $filter, first: $first, after: $after) {
    nodes { id state { name } }
    pageInfo { hasNextPage endCursor }
  }
}`;
