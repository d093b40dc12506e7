import type {Association, CheckState} from '../../../src/forge/pull-request.ts';
import {GitRepository} from './git-repository.ts';

export interface WorldUser {
  readonly login: string;
  readonly association: Association;
  readonly isBot?: boolean;
}

/** A log that is told by its size is made while it is sent; each tenth of it is told. */
export type WorldLog =
  | string
  | {readonly bytes: number; readonly end: string; readonly onTenth: () => void}
  | null;

export interface WorldCheck {
  readonly id: number;
  readonly sha: string;
  readonly name: string;
  state: CheckState;
  log: WorldLog;
  readonly startedAt: string;
}

export interface WorldReview {
  readonly id: number;
  readonly user: string;
  readonly state: 'approved' | 'changes_requested';
  dismissed: boolean;
  readonly body: string;
  readonly sha: string;
  readonly at: string;
}

export interface WorldThread {
  readonly id: number;
  readonly path: string;
  readonly line: number;
  readonly sha: string;
  isResolved: boolean;
  readonly comments: {
    readonly id: number;
    readonly user: string;
    readonly body: string;
    readonly at: string;
  }[];
}

export interface WorldPull {
  readonly number: number;
  title: string;
  body: string;
  readonly branch: string;
  readonly base: string;
  readonly isFork: boolean;
  isDraft: boolean;
  state: 'open' | 'closed';
  mergedAs: string | null;
  /** The last head, for when the branch is deleted. */
  lastSha: string;
  /** `null`: not computed yet. */
  isMergeable: boolean | null;
  /** Rules of the base branch that stand against a merge. */
  isProtected: boolean;
  readonly comments: {readonly user: string; readonly body: string}[];
  readonly reviews: WorldReview[];
  readonly threads: WorldThread[];
  updatedAt: string;
}

/** One repository on a forge. Every dialect serves it, with its real commits. */
export class ForgeWorld implements Disposable {
  readonly git = new GitRepository();
  readonly owner = 'acme';
  readonly name = 'widgets';
  readonly token = 'forge-token-that-no-log-may-show';
  /** What the token may do. */
  mayWrite = true;
  readonly self = 'symphony';
  readonly users = new Map<string, WorldUser>();
  readonly pulls = new Map<number, WorldPull>();
  readonly checks: WorldCheck[] = [];
  /** Just before a pull request is made: another caller may be faster. */
  beforeCreate = () => {};
  #clock = Date.parse('2026-03-01T00:00:00Z');
  #id = 100;

  constructor() {
    this.user(this.self, 'member');
    this.user('ann', 'member');
    this.user('eve', 'none');
  }

  user(login: string, association: Association, isBot = false): void {
    this.users.set(login, {login, association, isBot});
  }

  /** A pull request of a branch that exists, or is made with one commit. */
  pull(branch: string, given: Partial<WorldPull> = {}): WorldPull {
    const tip = this.git.tips().get(branch) ?? this.git.commit(branch);
    return this.pullAt(branch, tip, given);
  }

  pullAt(branch: string, sha: string, given: Partial<WorldPull> = {}): WorldPull {
    const number = this.pulls.size + 1;
    const pull: WorldPull = {
      ...{number, branch, base: 'main', title: `Change ${number}`, body: '', isFork: false},
      ...{isDraft: false, state: 'open', mergedAs: null, lastSha: sha, isMergeable: true},
      ...{isProtected: false, comments: [], reviews: [], threads: [], updatedAt: this.now()},
      ...given,
    };
    this.pulls.set(number, pull);
    return pull;
  }

  headOf(pull: WorldPull, tips: ReadonlyMap<string, string>): string {
    const tip = pull.state === 'open' && !pull.isFork ? tips.get(pull.branch) : undefined;
    if (tip !== undefined) pull.lastSha = tip;
    return pull.lastSha;
  }

  check(pull: WorldPull, name: string, state: CheckState, log: WorldLog = null): WorldCheck {
    const sha = this.headOf(pull, this.git.tips());
    const check = {...{id: this.id(), sha, name, state, log}, startedAt: this.now()};
    this.checks.push(check);
    return check;
  }

  /** Of each name the one that started last. */
  checksOf(sha: string): WorldCheck[] {
    const own = this.checks.filter((check) => check.sha === sha);
    return [...new Map(own.map((check) => [check.name, check])).values()];
  }

  review(pull: WorldPull, user: string, state: WorldReview['state'], body = ''): WorldReview {
    const sha = this.headOf(pull, this.git.tips());
    const review = {...{id: this.id(), user, state, dismissed: false, body, sha}, at: this.now()};
    pull.reviews.push(review);
    this.touch(pull);
    return review;
  }

  thread(
    pull: WorldPull,
    path: string,
    line: number,
    ...said: [user: string, body: string][]
  ): WorldThread {
    const sha = this.headOf(pull, this.git.tips());
    const thread: WorldThread = {
      ...{id: this.id(), path, line, sha},
      isResolved: false,
      comments: [],
    };
    pull.threads.push(thread);
    for (const [user, body] of said) this.reply(pull, thread, user, body);
    return thread;
  }

  reply(pull: WorldPull, thread: WorldThread, user: string, body: string): void {
    thread.comments.push({id: this.id(), user, body, at: this.now()});
    this.touch(pull);
  }

  touch(pull: WorldPull): void {
    pull.updatedAt = this.now();
  }

  /** Later with each look, by a second. */
  now(): string {
    this.#clock += 1_000;
    return new Date(this.#clock).toISOString();
  }

  id(): number {
    this.#id += 1;
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.git[Symbol.dispose]();
  }
}

/** The words with which forges refuse a merge, in the order in which they look. */
export type MergeRefusal = 'gone' | 'right' | 'closed' | 'moved' | 'protected' | 'conflict';

/** Merges as a forge does, or says why not. */
export function mergeIn(
  world: ForgeWorld,
  pull: WorldPull | undefined,
  sha: unknown,
): MergeRefusal | string {
  if (pull === undefined) return 'gone';
  if (!world.mayWrite) return 'right';
  if (pull.state === 'closed') return 'closed';
  const head = world.headOf(pull, world.git.tips());
  if (head !== sha) return 'moved';
  if (pull.isProtected) return 'protected';
  if (pull.isMergeable !== true) return 'conflict';
  const commit = world.git.commit(pull.base);
  Object.assign(pull, {state: 'closed', mergedAs: commit});
  world.touch(pull);
  return commit;
}
