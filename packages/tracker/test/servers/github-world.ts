/** An issue, or a pull request, as the world has it. */
export interface WorldIssue {
  readonly number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: string | null;
  labels: string[];
  author: {login: string; type: 'User' | 'Bot'};
  association: string;
  assignee: string | null;
  updatedAt: Date;
  readonly isPullRequest: boolean;
  blockedBy: WorldBlocker[];
  items: WorldItem[];
  comments: string[];
}

/** Of this repository, or of another, which then is told in full. */
export type WorldBlocker = number | {repo: string; number: number; state: 'open' | 'closed'};

export interface WorldItem {
  readonly id: string;
  readonly project: WorldProject;
  status: string | null;
  isArchived: boolean;
}

export interface WorldProject {
  readonly id: string;
  readonly number: number;
  readonly ownerId: string;
  readonly field: string;
  readonly options: readonly string[];
}

/** One repository on GitHub, in memory; both of its interfaces are served from here. */
export class GithubWorld {
  readonly owner = 'Acme';
  readonly name = 'widgets';
  readonly ownerId = 'O_acme';
  readonly token = 'ghp_a-token-that-nobody-may-see';
  isPrivate = true;
  /** False on a GitHub of one's own that is too old for them. */
  hasDependencies = true;
  /** Of the repository, beside those that its issues have. */
  readonly labels: string[] = [];
  readonly projects: WorldProject[] = [];
  hasIssues = true;
  readonly issues = new Map<number, WorldIssue>();
  /** What was written, in order. */
  readonly writes: string[] = [];
  /** What is left of the hour, for each of the two interfaces. */
  readonly left = {core: 5_000, graphql: 5_000};

  add(number: number, given: Partial<WorldIssue> = {}): WorldIssue {
    const issue = anIssue(number, given);
    this.issues.set(number, issue);
    return issue;
  }

  issue(number: number): WorldIssue {
    const issue = this.issues.get(number);
    if (issue === undefined) throw new Error(`there is no issue ${number}`);
    return issue;
  }

  /** Every change of an issue makes it newer, by a second, as GitHub's clock has no less. */
  touch(issue: WorldIssue, write: string): void {
    issue.updatedAt = new Date(issue.updatedAt.getTime() + 1_000);
    this.writes.push(`${issue.number} ${write}`);
  }

  project(number = 7, ownerId = this.ownerId): WorldProject {
    const options = ['Todo', 'In Progress', 'Review', 'Done'];
    const project = {id: `PVT_${ownerId}_${number}`, number, ownerId, field: 'Status', options};
    this.projects.push(project);
    return project;
  }

  place(number: number, project: WorldProject, status: string | null): WorldItem {
    const issue = this.issue(number);
    const item = {id: `PVTI_${number}_${project.id}`, project, status, isArchived: false};
    issue.items.push(item);
    return item;
  }
}

export function anIssue(number: number, given: Partial<WorldIssue> = {}): WorldIssue {
  return {
    number,
    title: `Issue ${number}`,
    body: `Text of ${number}`,
    state: 'open',
    stateReason: null,
    labels: [],
    author: {login: 'ann', type: 'User'},
    association: 'MEMBER',
    assignee: null,
    updatedAt: new Date('2026-01-02T00:00:00Z'),
    isPullRequest: false,
    blockedBy: [],
    items: [],
    comments: [],
    ...given,
  };
}

export function createdAt({number}: WorldIssue): Date {
  return new Date(Date.UTC(2026, 0, 1) + number * 1_000);
}
