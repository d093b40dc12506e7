import {isDeepStrictEqual} from 'node:util';
import {type Evidence, type Issue, sameState} from '@symphony-supervisor/protocol';
import {fingerprint, type Look} from '../workspace/git/fingerprint.ts';
import {findGit} from '../workspace/git/git-places.ts';
import type {Layout} from '../workspace/layout.ts';
import type {Environment} from './environment.ts';

/** Detects whether a run changed anything, so that idle runs can be distinguished. */
export class EvidenceTaker {
  readonly #layout: Layout;
  readonly #scratch: string;
  readonly #environment: Environment;
  readonly #issue: Issue;
  readonly #limitMs: number | undefined;
  #before: Look | null = null;
  /** As it was when the last turn began. */
  #atTurn: {
    readonly workspace: Look | null;
    readonly issue: Issue | null;
    readonly writes: number;
  };
  #latest: Issue | null;
  /** Tool calls that changed the tracker. */
  #writes = 0;

  constructor(
    layout: Layout,
    scratch: string,
    environment: Environment,
    issue: Issue,
    limitMs?: number,
  ) {
    this.#layout = layout;
    this.#scratch = scratch;
    this.#environment = environment;
    this.#issue = issue;
    this.#limitMs = limitMs;
    this.#latest = issue;
    this.#atTurn = {workspace: null, issue, writes: 0};
  }

  async begin(): Promise<void> {
    this.#before = await this.#fingerprint();
    this.#atTurn = {...this.#atTurn, workspace: this.#before};
  }

  /** Whether the last turn changed anything. In doubt it did. */
  async turnEnded(): Promise<boolean> {
    const before = this.#atTurn;
    const now = {
      workspace: await this.#fingerprint(),
      issue: this.#latest,
      writes: this.#writes,
    };
    this.#atTurn = now;
    if (!isDeepStrictEqual(now.workspace, before.workspace)) return true;
    if (now.issue === null || before.issue === null) return true;
    return now.writes > before.writes || !sameIssue(now.issue, before.issue);
  }

  issueRead(issue: Issue | null): void {
    this.#latest = issue;
  }

  toolWrote(): void {
    this.#writes++;
  }

  /**
   * In doubt something changed, except in one case: a workspace that could not be inspected before, and still
   * cannot for the same reason. An agent could cause that, and would never be idle.
   */
  async end(): Promise<Evidence> {
    const after = await this.#fingerprint();
    return {
      workspace_changed: !isDeepStrictEqual(after, this.#before),
      issue_changed: this.#latest === null || !sameIssue(this.#issue, this.#latest),
      tools_wrote: this.#writes > 0,
    };
  }

  async #fingerprint(): Promise<Look> {
    const places = await findGit(this.#layout).catch(() => null);
    return fingerprint(this.#layout.path, places, this.#scratch, this.#environment, this.#limitMs);
  }
}

function sameIssue(a: Issue, b: Issue): boolean {
  return (
    sameState(a.state, b.state) && a.labels.toSorted().join('\n') === b.labels.toSorted().join('\n')
  );
}
