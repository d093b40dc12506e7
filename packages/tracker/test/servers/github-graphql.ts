import {schema as published} from '@octokit/graphql-schema';
import {buildSchema, execute, GraphQLError, parse, validate} from 'graphql';
import {
  createdAt,
  type GithubWorld,
  type WorldIssue,
  type WorldItem,
  type WorldProject,
} from './github-world.ts';

/** GitHub's own, as it publishes it. */
export const githubSchema = buildSchema(published.idl, {assumeValidSDL: true});

/** Executes a document as GitHub does: against the whole schema, on what the world has. */
export function answerGraphql(world: GithubWorld, request: unknown): Promise<object> {
  return runGraphql(rootOf(world), request);
}

export async function runGraphql(rootValue: object, request: unknown): Promise<object> {
  const {query, variables} = request as {query: string; variables: Record<string, unknown>};
  const document = parse(query);
  const complaints = validate(githubSchema, document);
  if (complaints.length > 0) return {errors: complaints.map((error) => formatted(error))};
  const {data, errors} = await execute({
    schema: githubSchema,
    document,
    variableValues: variables,
    rootValue,
  });
  return {data, ...(errors === undefined ? {} : {errors: errors.map(formatted)})};
}

/** GitHub puts the kind of an error beside its message. */
function formatted({message, path, extensions}: GraphQLError): object {
  return {...extensions, ...(path === undefined ? {} : {path}), message};
}

export function notFound(what: string): GraphQLError {
  const message = `Could not resolve to ${what}.`;
  return new GraphQLError(message, {extensions: {type: 'NOT_FOUND'}});
}

function rootOf(world: GithubWorld) {
  return {
    repository: ({owner, name}: {owner: string; name: string}) => {
      const isIt =
        `${owner}/${name}`.toLowerCase() === `${world.owner}/${world.name}`.toLowerCase();
      if (!isIt) throw notFound(`a Repository with the name '${owner}/${name}'`);
      return repositoryOf(world);
    },
    updateProjectV2ItemFieldValue: ({input}: {input: MoveInput}) => {
      const issue = [...world.issues.values()].find(({items}) =>
        items.some(({id}) => id === input.itemId),
      );
      const item = issue?.items.find(({id}) => id === input.itemId);
      if (issue === undefined || item === undefined) throw notFound('a node with that id');
      item.status = input.value.singleSelectOptionId.replace(/^option-/, '');
      world.touch(issue, `status ${item.status}`);
      return {projectV2Item: {id: item.id}};
    },
  };
}

interface MoveInput {
  readonly itemId: string;
  readonly value: {readonly singleSelectOptionId: string};
}

export interface Paged {
  readonly first: number;
  readonly after?: string | null;
}

function repositoryOf(world: GithubWorld) {
  return {
    isPrivate: world.isPrivate,
    nameWithOwner: `${world.owner}/${world.name}`,
    hasIssuesEnabled: world.hasIssues,
    owner: {
      ...{__typename: 'Organization', id: world.ownerId, login: world.owner},
      projectV2: ({number}: {number: number}) => {
        const isIt = (each: WorldProject) =>
          each.number === number && each.ownerId === world.ownerId;
        const project = world.projects.find(isIt);
        if (project === undefined) throw notFound(`a ProjectV2 with the number ${number}`);
        return projectNode(project);
      },
    },
    issue: ({number}: {number: number}) => {
      const issue = world.issues.get(number);
      if (issue === undefined || issue.isPullRequest) {
        throw notFound(`an Issue with the number of ${number}`);
      }
      return nodeOf(issue);
    },
    issues: ({states, ...paged}: Paged & {states: readonly string[]}) =>
      connection(
        [...world.issues.values()]
          .filter((issue) => !issue.isPullRequest && states.includes(issue.state.toUpperCase()))
          .sort((a, b) => a.number - b.number)
          .map(nodeOf),
        paged,
      ),
  };
}

function nodeOf(issue: WorldIssue) {
  return {
    id: `I_${issue.number}`,
    number: issue.number,
    title: issue.title,
    body: issue.body ?? '',
    state: issue.state.toUpperCase(),
    url: `https://github.com/Acme/widgets/issues/${issue.number}`,
    createdAt: createdAt(issue).toISOString(),
    updatedAt: issue.updatedAt.toISOString(),
    authorAssociation: issue.association,
    author: {__typename: issue.author.type, login: issue.author.login},
    assignees: (paged: Paged) =>
      connection(issue.assignee === null ? [] : [{login: issue.assignee}], paged),
    labels: (paged: Paged) =>
      connection(
        issue.labels.map((name) => ({name})),
        paged,
      ),
    projectItems: ({includeArchived, ...paged}: Paged & {includeArchived: boolean}) =>
      connection(
        issue.items.filter(({isArchived}) => includeArchived || !isArchived).map(itemNode),
        paged,
      ),
  };
}

function projectNode(project: WorldProject) {
  return {
    ...{id: project.id, number: project.number},
    owner: {__typename: 'Organization', id: project.ownerId},
    field: ({name}: {name: string}) =>
      name === project.field
        ? {
            __typename: 'ProjectV2SingleSelectField',
            id: 'field',
            options: project.options.map((option) => ({id: `option-${option}`, name: option})),
          }
        : null,
  };
}

function itemNode({id, project, status}: WorldItem) {
  return {
    id,
    project: projectNode(project),
    fieldValueByName: ({name}: {name: string}) =>
      name === project.field && status !== null
        ? {__typename: 'ProjectV2ItemFieldSingleSelectValue', name: status}
        : null,
  };
}

export function connection<T>(all: readonly T[], {first, after}: Paged) {
  const start = after ? Number(Buffer.from(after, 'base64').toString()) : 0;
  const end = start + first;
  return {
    nodes: all.slice(start, end),
    totalCount: all.length,
    pageInfo: {
      hasNextPage: end < all.length,
      endCursor: end <= start ? null : Buffer.from(String(end)).toString('base64'),
    },
  };
}
