import {randomUUID} from 'node:crypto';

/** What a filter of Linear's can say about a value. */
type Filter = Readonly<Record<string, unknown>>;
interface Page {
  readonly first?: number;
  readonly after?: string;
  readonly filter?: Filter;
  readonly includeArchived?: boolean;
}

export interface Team {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly slugId: string;
  readonly teams: readonly Team[];
}
export interface State {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly team: Team;
}
export interface Label {
  readonly id: string;
  readonly name: string;
  readonly isGroup: boolean;
  readonly team: Team | null;
}
export interface WorldIssue {
  readonly id: string;
  readonly identifier: string;
  readonly number: number;
  readonly team: Team;
  title: string;
  description: string | null;
  priority: number;
  state: State;
  project: {readonly slugId: string} | null;
  assignee: {readonly id: string} | null;
  labels: Label[];
  relations: {type: string; issue: WorldIssue}[];
  readonly createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
  trashed: boolean | null;
  comments: string[];
  /** The states it was moved to through the API, one by one. */
  readonly moves: string[];
  attachments: {url: string; title: string | null}[];
}

const TYPES: Readonly<Record<string, string>> = {
  Todo: 'unstarted',
  'In Progress': 'started',
  'In Review': 'started',
  Done: 'completed',
};

/** A small Linear workspace: what a person could have made by hand. */
export class LinearWorld {
  readonly viewer = {id: randomUUID()};
  readonly teams: Team[] = [];
  readonly states: State[] = [];
  readonly labels: Label[] = [];
  readonly projects: Project[] = [];
  readonly issues: WorldIssue[] = [];
  #clock = Date.parse('2026-01-01T00:00:00.000Z');

  addTeam(key: string, states = Object.keys(TYPES)): Team {
    const team = {id: randomUUID(), key, name: `Team ${key}`};
    this.teams.push(team);
    for (const name of states) {
      this.states.push({id: randomUUID(), name, type: TYPES[name] ?? 'started', team});
    }
    return team;
  }

  addProject(name: string, slugId: string, teams: readonly Team[]): void {
    this.projects.push({id: randomUUID(), name, slugId, teams});
  }

  addLabel(name: string, team: Team | null = null, isGroup = false): Label {
    const label = {id: randomUUID(), name, isGroup, team};
    this.labels.push(label);
    return label;
  }

  addIssue(team: Team, stateName = 'Todo', more: Partial<WorldIssue> = {}): WorldIssue {
    const number = this.issues.filter((issue) => issue.team === team).length + 1;
    const createdAt = this.tick();
    const issue: WorldIssue = {
      id: randomUUID(),
      identifier: `${team.key}-${number}`,
      number,
      team,
      title: `Issue ${number}`,
      description: null,
      priority: 0,
      state: this.state(team, stateName),
      project: {slugId: 'a1b2c3d4e5f6'},
      assignee: null,
      labels: [],
      relations: [],
      createdAt,
      updatedAt: createdAt,
      archivedAt: null,
      trashed: null,
      comments: [],
      moves: [],
      attachments: [],
      ...more,
    };
    this.issues.push(issue);
    return issue;
  }

  state(team: Team, name: string): State {
    const state = this.states.find((each) => each.team === team && each.name === name);
    if (state === undefined) throw new Error(`${team.key} has no state ${name}`);
    return state;
  }

  /** As a person does it, in Linear's own window. */
  move(issue: WorldIssue, stateName: string): void {
    issue.state = this.state(issue.team, stateName);
    issue.updatedAt = this.tick();
  }

  tick(): string {
    this.#clock += 1_000;
    return new Date(this.#clock).toISOString();
  }

  /** The root of every query and mutation, for graphql-js. */
  root() {
    return {
      viewer: () => this.viewer,
      issues: (page: Page) =>
        connection(
          this.issues.filter((issue) => page.includeArchived || issue.archivedAt === null),
          page,
          issueNode,
        ),
      teams: (page: Page) => connection(this.teams, page, asIs),
      projects: (page: Page) =>
        connection(this.projects, page, (project) => ({
          ...project,
          teams: (inner: Page) => connection(project.teams, inner, asIs),
        })),
      workflowStates: (page: Page) => connection(this.states, page, asIs),
      issueLabels: (page: Page) => connection(this.labels, page, asIs),
      issueUpdate: ({id, input}: {id: string; input: Input}) => this.#update(id, input),
      commentCreate: ({input}: {input: {issueId: string; body: string}}) => {
        this.#issue(input.issueId).comments.push(input.body);
        return {success: true, comment: {id: randomUUID()}};
      },
      attachmentLinkURL: ({issueId, url, title = null}: Attachment) => {
        this.#issue(issueId).attachments.push({url, title});
        return {success: true, attachment: {id: randomUUID()}};
      },
    };
  }

  #update(id: string, {stateId, addedLabelIds = []}: Input) {
    const issue = this.#issue(id);
    const state = this.states.find((each) => each.id === stateId);
    if (stateId !== undefined && state?.team !== issue.team) throw new Error('Invalid state');
    if (state !== undefined) {
      issue.state = state;
      issue.moves.push(state.name);
    }
    issue.labels.push(...this.labels.filter((label) => addedLabelIds.includes(label.id)));
    issue.updatedAt = this.tick();
    return {success: true, issue: issueNode(issue)};
  }

  #issue(id: string): WorldIssue {
    const found = this.issues.find((issue) => issue.id === id);
    if (found === undefined) throw new Error('Entity not found: Issue');
    return found;
  }
}

interface Input {
  readonly stateId?: string;
  readonly addedLabelIds?: readonly string[];
}
interface Attachment {
  readonly issueId: string;
  readonly url: string;
  readonly title?: string | null;
}

function asIs<T>(value: T): T {
  return value;
}

function issueNode(issue: WorldIssue): object {
  const {labels, relations} = issue;
  return {
    ...issue,
    branchName: `someone/${issue.identifier.toLowerCase()}`,
    url: `https://linear.app/acme/issue/${issue.identifier}`,
    labelIds: labels.map(({id}) => id),
    labels: (page: Page) => connection(labels, page, asIs),
    inverseRelations: (page: Page) =>
      connection(
        relations.map((relation, index) => ({id: String(index), ...relation})),
        page,
        ({type, issue: other}) => ({type, issue: () => issueNode(other)}),
      ),
  };
}

/** Linear's paging: `first` after a cursor, at most 250. */
function connection<T extends {readonly id: string}>(
  all: readonly T[],
  {first = 50, after, filter = {}}: Page,
  toNode: (item: T) => unknown,
) {
  if (first > 250) throw new Error('first must be at most 250');
  const matching = all.filter((item) => matches(item, filter));
  const start = after === undefined ? 0 : matching.findIndex(({id}) => cursorOf(id) === after) + 1;
  const nodes = matching.slice(start, start + first);
  const last = nodes.at(-1);
  return {
    nodes: nodes.map(toNode),
    pageInfo: {
      hasNextPage: start + first < matching.length,
      endCursor: last === undefined ? null : cursorOf(last.id),
    },
  };
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** A filter that is not understood is refused: to pass over it would make any query look right. */
function matches(value: unknown, filter: Filter): boolean {
  return Object.entries(filter).every(([key, wanted]) => {
    const filters = wanted as readonly Filter[];
    switch (key) {
      case 'and':
        return filters.every((each) => matches(value, each));
      case 'or':
        return filters.some((each) => matches(value, each));
      case 'null':
        return (value === null) === wanted;
      case 'eq':
        return value === wanted;
      case 'in':
        return (wanted as readonly unknown[]).includes(value);
      case 'eqIgnoreCase':
        return String(value).toLowerCase() === String(wanted).toLowerCase();
      default:
        if (typeof wanted !== 'object') throw new Error(`the filter ${key} is not understood`);
        if (value === null) return matches(null, wanted as Filter);
        if (!Object.hasOwn(value as object, key)) throw new Error(`no field ${key} to filter by`);
        return matches((value as Record<string, unknown>)[key], wanted as Filter);
    }
  });
}
