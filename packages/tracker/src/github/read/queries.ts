// Every GraphQL document that is sent. The tests check them against GitHub's published schema.

const ISSUE = `
  id number title body state url createdAt updatedAt authorAssociation
  author { __typename login }
  assignees(first: 1) { nodes { login } }
  labels(first: 100) { nodes { name } }`;

/** An issue is in few projects; an archived item counts as removed. */
const ITEMS = `
  projectItems(first: 20, includeArchived: false) {
    nodes {
      id
      project { number owner { id } }
      status: fieldValueByName(name: $field) { ... on ProjectV2ItemFieldSingleSelectValue { name } }
    }
  }`;

/** GitHub takes far more, but a page of its own lists is a hundred, too. */
export const NUMBERS_A_QUERY = 100;

/** One request for up to a hundred issues. */
export function issuesByNumbers(numbers: readonly number[], withStatus: boolean): string {
  const aliases = numbers.map(
    (number) => `    ${aliasOf(number)}: issue(number: ${number}) { ...fields }`,
  );
  return `query IssuesByNumbers($owner: String!, $name: String!${withStatus ? ', $field: String!' : ''}) {
  repository(owner: $owner, name: $name) {
    isPrivate
    owner { id }
${aliases.join('\n')}
  }
}
fragment fields on Issue {${ISSUE}${withStatus ? ITEMS : ''}
}`;
}

export function aliasOf(number: number): string {
  return `issue${number}`;
}

/**
 * The states of open issues in a project; all else comes by REST, where unchanged answers are free.
 */
export const OPEN_STATUSES = `query OpenStatuses($owner: String!, $name: String!, $field: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    owner { id }
    issues(first: 100, after: $after, states: [OPEN], orderBy: {field: CREATED_AT, direction: ASC}) {
      nodes { number ${ITEMS}
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/** What is needed to move one issue in the project. */
export const STATUS_OPTIONS = `query StatusOptions($owner: String!, $name: String!, $number: Int!, $field: String!) {
  repository(owner: $owner, name: $name) {
    owner { id }
    issue(number: $number) {
      projectItems(first: 20, includeArchived: false) {
        nodes {
          id
          project {
            id number owner { id }
            field(name: $field) { ... on ProjectV2SingleSelectField { id options { id name } } }
          }
        }
      }
    }
  }
}`;

export const SET_STATUS = `mutation SetStatus($project: ID!, $item: ID!, $field: ID!, $option: String!) {
  updateProjectV2ItemFieldValue(
    input: {projectId: $project, itemId: $item, fieldId: $field, value: {singleSelectOptionId: $option}}
  ) {
    projectV2Item { id }
  }
}`;

/** What a repository has besides its open issues, which come by REST. */
export const REPOSITORY = `query Repository($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
    hasIssuesEnabled
    closed: issues(states: [CLOSED], first: 1) { totalCount }
  }
}`;

/** The field of the owner's project that holds the state of an issue. */
export const PROJECT_OPTIONS = `query ProjectOptions($owner: String!, $name: String!, $number: Int!, $field: String!) {
  repository(owner: $owner, name: $name) {
    owner {
      ... on ProjectV2Owner {
        projectV2(number: $number) {
          field(name: $field) { ... on ProjectV2SingleSelectField { options { name } } }
        }
      }
    }
  }
}`;
