import assert from 'node:assert/strict';
import {type Issue, isTerminal} from '@symphony-supervisor/protocol';
import {type Claim, type ClaimKey, claimKey} from '../../src/core/claim.ts';
import {Slots} from '../../src/core/dispatch/slots.ts';
import type {Effect} from '../../src/core/effect.ts';
import {anIssue, aWorkflow, type Knobs, type Table} from './builders.ts';
import {UnreadableWatch} from './life/unreadable-watch.ts';
import {DeliveryWatch} from './run/delivery-watch.ts';
import {DismissalWatch} from './run/dismissal-watch.ts';
import {MessageWatch} from './run/message-watch.ts';

const HANDOFF_STATE = 'Review';

export const KNOBS: Knobs = {
  agent: {
    maxConcurrentAgents: 2,
    maxRuns: 6,
    maxConsecutiveFailures: 3,
    maxIdleRuns: 2,
    maxTokens: 500,
  },
  tracker: {inProgressState: 'In Progress', handoffState: HANDOFF_STATE},
};
export const STATES = ['Todo', 'In Progress', 'Review', 'Done'];
export const IDS = ['1', '2', '3', '4'];
export const PROJECT = 'p';

/** A read that is under way. */
interface Asked {
  readonly askedAt: number;
  readonly seen: ReadonlyMap<string, Issue>;
}

interface Pending {
  readonly key: ClaimKey;
  readonly runId: string;
}

/**
 * Everything around the core that a history may set in motion, in any order: a tracker, runners,
 * timers, people. It takes every order of the core, and looks whether the core keeps its promises.
 */
export class Surroundings {
  readonly table: Table;
  protected readonly issues = new Map<string, Issue>(IDS.map((id) => [id, anIssue({id})]));
  protected readonly timers = new Map<string, number>();
  protected readonly runners = new Map<string, ClaimKey>();
  /** Each with what the tracker had when it was asked: an answer may be that old when it comes. */
  protected reads: (Asked & {readonly key: ClaimKey; readonly runId: string | null})[] = [];
  protected writes: (Pending & {issue: Issue; state: string})[] = [];
  protected jobs: (
    | {do: 'clean'; key: ClaimKey; path: string}
    | ({do: 'finish' | 'deliver'} & Pending)
  )[] = [];
  protected claimedReads: (Asked & {scope: number; ids: readonly string[]})[] = [];
  protected fetches: number[] = [];
  protected sweep: (Asked & {readonly scope: number}) | null = null;
  protected provider = 0;
  protected isProbing = false;
  /** What the core last heard of each issue, by the newest read. */
  protected readonly heard = new Map<ClaimKey, {issue: Issue | null; askedAt: number}>();
  protected lives = 0;
  protected exits = false;
  protected readonly deliveries = new DeliveryWatch(HANDOFF_STATE);
  protected readonly messages = new MessageWatch();
  protected readonly unreadable = new UnreadableWatch();
  protected readonly dismissals = new DismissalWatch();

  constructor(table: Table) {
    this.table = table;
  }

  protected perform(effect: Effect): void {
    switch (effect.do) {
      case 'read-issue':
        this.reads.push({...effect, ...this.ask()});
        return;
      case 'write-state':
        this.assertNotOver(effect.key);
        this.deliveries.writes(effect);
        this.writes.push(effect);
        return;
      case 'read-claimed':
        assert.ok(
          effect.scope !== this.scope ||
            !this.claimedReads.some(({scope}) => scope === effect.scope),
          'two reads of the claimed at once',
        );
        this.claimedReads.push({...effect, ...this.ask()});
        return;
      case 'read-candidates':
        assert.ok(!this.fetches.includes(effect.scope), 'two fetches at once');
        this.fetches.push(effect.scope);
        return;
      case 'find-workspaces':
        assert.equal(this.sweep, null, 'two sweeps at once');
        this.sweep = {...effect, ...this.ask()};
        return;
      case 'exit':
        this.exits = true;
        return;
      case 'start-run':
        this.assertMayStart(effect.key);
        this.deliveries.starts(effect.key);
        this.runners.set(effect.run.id, effect.key);
        this.messages.starts(effect.run.id, this.table.state.claims.get(effect.key));
        this.unreadable.starts(effect.key);
        return;
      case 'clean-workspace':
        this.assertNobodyRuns(effect.key);
        // What an operator orders to be removed is removed, wherever its issue stands.
        if (effect.keepWork) {
          this.assertOver(effect.key);
          this.unreadable.assertMayClean(effect.key);
        }
        this.jobs.push({do: 'clean', key: effect.key, path: effect.path});
        return;
      case 'finish-run':
        this.jobs.push({do: 'finish', key: effect.key, runId: effect.runId});
        return;
      case 'deliver-work':
        this.assertNobodyRuns(effect.key);
        this.jobs.push({do: 'deliver', key: effect.key, runId: effect.runId});
        return;
      case 'probe-agent':
        this.isProbing = true;
        return;
      case 'set-timer':
        this.timers.set(effect.timer, effect.at);
        return;
      case 'clear-timer':
        this.timers.delete(effect.timer);
        return;
      default:
        return;
    }
  }

  protected assertMayStart(key: ClaimKey): void {
    assert.ok(![...this.runners.values()].includes(key), `${key} would run twice`);
    const slots = new Slots(this.table.state.claims, null, this.table.now);
    const limit = KNOBS.agent?.maxConcurrentAgents ?? 0;
    assert.ok(slots.used(PROJECT) <= limit, `${slots.used(PROJECT)} of ${limit} slots are taken`);
    const runs = this.table.counters.get(key)?.runs ?? 0;
    assert.ok(runs <= (KNOBS.agent?.maxRuns ?? 0), `${key} has had ${runs} runs`);
  }

  protected assertNobodyRuns(key: ClaimKey): void {
    assert.ok(![...this.runners.values()].includes(key), `${key} is cleaned while it runs`);
  }

  /** No write of ours after the issue was seen to be over. */
  protected assertNotOver(key: ClaimKey): void {
    const heard = this.heard.get(key)?.issue;
    const {tracker} = aWorkflow(KNOBS).settings;
    assert.ok(heard == null || !isTerminal(heard.state, tracker), `${key} is over and written to`);
  }

  /** Nothing is deleted but what the newest read says is over. */
  protected assertOver(key: ClaimKey): void {
    assert.ok(this.isOver(key), `${key} is open and deleted`);
  }

  /** By the newest read. */
  protected isOver(key: ClaimKey): boolean {
    const heard = this.heard.get(key)?.issue;
    const {tracker} = aWorkflow(KNOBS).settings;
    return heard != null && isTerminal(heard.state, tracker);
  }

  protected ask(): Asked {
    return {askedAt: this.table.asked++, seen: new Map(this.issues)};
  }

  /** A read is delivered. One that was asked for before another has nothing to say any more. */
  protected hears(key: ClaimKey, issue: Issue | null, askedAt: number): void {
    const known = this.heard.get(key);
    if (known === undefined || askedAt >= known.askedAt) this.heard.set(key, {issue, askedAt});
  }

  /** Of several issues at once. Claims that came from another tracker are none of its business. */
  protected hearsOf(id: string, issue: Issue | null, scope: number, askedAt: number): void {
    const claim = this.table.claim(id, PROJECT);
    if (claim?.scope === scope) this.hears(claimKey(PROJECT, id), issue, askedAt);
  }

  protected lookAround(): void {
    this.messages.look(this.table.state.claims);
    for (const [key, claim] of this.table.state.claims) {
      assert.ok(
        this.isInMotion(key, claim),
        `${key} is ${claim.is} and waits for nothing: ${JSON.stringify(claim)}`,
      );
    }
  }

  /** A runner, a timer, an answer to come, or a reason to wait. */
  protected isInMotion(key: ClaimKey, claim: Claim): boolean {
    if (claim.is === 'held' || claim.is === 'dismissed') return true;
    const {isShuttingDown} = this.table.state;
    if (claim.is === 'retrying') {
      return isShuttingDown || this.timers.has(`retry ${key}`) || claim.waitsFor !== null;
    }
    const run = claim.run;
    return (
      (run !== null && this.runners.get(run.id) === key) ||
      this.reads.some((read) => read.key === key && read.runId === (run?.id ?? null)) ||
      (claim.is === 'stopping' && isReading(claim) && isShuttingDown) ||
      this.writes.some((write) => write.key === key && write.runId === run?.id) ||
      this.jobs.some((job) => job.key === key)
    );
  }

  protected get scope(): number {
    return this.table.state.projects.get(PROJECT)?.scope ?? 0;
  }
}

/** During a shutdown nothing is read: the next start does it. */
function isReading({step}: Extract<Claim, {is: 'stopping'}>): boolean {
  return step === 'confirming' || step === 'reading';
}
