import {
  type Issue,
  sameState,
  stateKey,
  type ToolResult,
  type ToolSpec,
  type TrackerSettings,
} from '@symphony-supervisor/protocol';
import type {Answer, TrackerFailure, WriteOutcome} from '@symphony-supervisor/tracker';
import type {Trackers} from '../../../packages/orchestrator/src/shell/outside.ts';
import type {Life} from '../life.ts';
import type {World} from '../world.ts';

/** A request ends after this, whatever the tracker does. */
const LIMIT_MS = 30_000;

export interface PendingCall {
  readonly what: 'ids' | 'write' | 'tools' | 'other';
  readonly ids: readonly string[];
}

const TOOL: ToolSpec = {name: 'move', description: 'moves the issue', input_schema: {}};

/** The trackers as one life of the supervisor sees them: slow, failing and lying as the weather is. */
export class SimulatedTrackers implements Trackers {
  readonly #world: World;
  readonly #life: Life;
  readonly #open = new Map<string, TrackerSettings>();
  readonly #watchers = new Map<string, () => void>();
  /** What is on its way. */
  readonly pending = new Set<PendingCall>();

  constructor(world: World, life: Life) {
    this.#world = world;
    this.#life = life;
  }

  async open(name: string, settings: TrackerSettings): Promise<Answer<null>> {
    this.#open.set(name, settings);
    return answered(null);
  }

  async close(name: string): Promise<Answer<null>> {
    this.#open.delete(name);
    this.#watchers.delete(name);
    return answered(null);
  }

  async watch(name: string, onChange: () => void): Promise<Answer<boolean>> {
    this.#watchers.set(name, onChange);
    return answered(true);
  }

  /** A watch is told now and then; the rest is found by polling. */
  noteChange(project: string): void {
    const {chance} = this.#world;
    for (const [name, onChange] of this.#watchers) {
      if (projectOf(name) !== project || !chance.is(30)) continue;
      this.#world.after(chance.span(100, 2000), () => {
        if (this.#life.isAlive) onChange();
      });
    }
  }

  issuesByStates(name: string, states: readonly string[]): Promise<Answer<readonly Issue[]>> {
    const wanted = new Set(states.map(stateKey));
    return this.#call('other', name, [], () => {
      const {chance, weather, issues} = this.#world;
      const found = issues
        .of(projectOf(name))
        .filter((issue) => this.#shows(name, issue.id) && wanted.has(stateKey(issue.state)));
      if (!weather.trackerLies) return found;
      const told = found.filter(() => !chance.is(5)).map((issue) => this.#perhapsOld(issue));
      return [...told, ...told.filter(() => chance.is(5))];
    });
  }

  async issuesByIds(name: string, ids: readonly string[]): Promise<Answer<readonly Issue[]>> {
    const answer = await this.#call('ids', name, ids, () => {
      const {chance, weather, issues} = this.#world;
      return ids.flatMap((id) => {
        const issue = this.#shows(name, id) ? issues.find(id) : null;
        if (issue === null || (weather.trackerLies && chance.is(1))) return [];
        return [this.#perhapsOld(issue)];
      });
    });
    if (answer.ok) this.#world.watcher.noteRead(ids, answer.value);
    return answer;
  }

  issuesByIdentifiers(): Promise<Answer<readonly Issue[]>> {
    return this.#call('other', '', [], () => []);
  }

  tools(name: string, issue: Issue): Promise<Answer<readonly ToolSpec[]>> {
    return this.#call('tools', name, [issue.id], () => [TOOL]);
  }

  transition(name: string, issue: Issue, state: string): Promise<Answer<WriteOutcome>> {
    // A former self that has been cut off moves nothing any more.
    if (!this.#life.isAlive) return new Promise(() => {});
    this.#world.watcher.noteWrite(`${projectOf(name)}/${issue.id}`, issue, state);
    this.#life.reach('write');
    return this.#write(name, issue.id, () => {
      const {issues, watcher} = this.#world;
      const found = issues.find(issue.id);
      if (found !== null && sameState(found.state, state)) {
        return {outcome: 'unchanged', issue: found};
      }
      if (found === null || !sameState(found.state, issue.state)) {
        return {outcome: 'conflict', found};
      }
      watcher.noteWritten(found, state);
      issues.change(issue.id, {state});
      return {outcome: 'written', issue: {...found, state}, changed: ['state']};
    });
  }

  callTool(name: string, issue: Issue, tool: string, args: unknown): Promise<Answer<ToolResult>> {
    return this.#write(name, issue.id, () => {
      const {state} = args as {state: string};
      const success = tool === TOOL.name && this.#world.issues.find(issue.id) !== null;
      if (success) this.#world.issues.change(issue.id, {state});
      return {success, content: null, wrote: success};
    });
  }

  get isDown(): boolean {
    return false;
  }

  async budget(): Promise<Answer<null>> {
    return answered(null);
  }

  verifyWebhook(): never {
    throw new Error('there are no webhooks here');
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Another part of the tracker has other issues. */
  #shows(name: string, id: string): boolean {
    const part = this.#open.get(name)?.provider.part;
    return part === 0 || Number(id.slice('id-'.length)) % 2 === (part === 1 ? 1 : 0);
  }

  #perhapsOld(issue: Issue): Issue {
    const {chance, weather, issues} = this.#world;
    const isOld = weather.trackerLies && chance.is(3);
    return (isOld ? issues.find(issue.id, true) : null) ?? issue;
  }

  #call<T>(
    what: PendingCall['what'],
    name: string,
    ids: readonly string[],
    read: () => T,
  ): Promise<Answer<T>> {
    const {chance, weather} = this.#world;
    const fate = this.#fate(name);
    // What was true when it was asked for may be old when it arrives.
    const early = fate === null && !weather.isCalm && chance.is(30) ? answered(read()) : null;
    return this.#deliver({what, ids}, fate, () => early ?? answered(read()));
  }

  /** Whether the change was made and whether we hear of it are two things. */
  #write<T>(name: string, id: string, write: () => T): Promise<Answer<T>> {
    const {chance, weather} = this.#world;
    const fate = this.#fate(name);
    let done: Answer<T> | null = null;
    if (fate === null || chance.is(30)) {
      this.#world.after(chance.span(5, 500), () => {
        if (weather.isCalm || chance.is(97)) done = answered(write());
      });
    }
    const lost = failed({code: 'tracker_request', message: 'the connection was lost'});
    return this.#deliver({what: 'write', ids: [id]}, fate, () => done ?? lost, 500);
  }

  #deliver<T>(
    call: PendingCall,
    fate: Answer<never> | null,
    answer: () => Answer<T>,
    leastMs = 0,
  ): Promise<Answer<T>> {
    this.pending.add(call);
    return new Promise((resolve) => {
      this.#world.after(leastMs + this.#latency(), () => {
        if (!this.#life.isAlive) return;
        this.#life.reach('answer');
        if (!this.#life.isAlive) return;
        this.pending.delete(call);
        resolve(fate ?? answer());
      });
    });
  }

  #latency(): number {
    const {chance, weather} = this.#world;
    if (weather.tracker === 'hanging') return LIMIT_MS;
    if (weather.tracker === 'slow') return chance.span(500, LIMIT_MS - 1_000);
    return chance.span(10, 1_000);
  }

  #fate(name: string): Answer<never> | null {
    const {chance, weather, clock} = this.#world;
    if (!this.#open.has(name) && name !== '') {
      return failed({code: 'invalid_tracker_config', message: `"${name}" is not open`});
    }
    if (weather.isCalm) return null;
    if (weather.tracker === 'rate limited') {
      const retryAfterMs = Math.max(1_000, weather.limitedUntil - clock.monotonic());
      return failed({code: 'tracker_rate_limited', message: 'too many requests', retryAfterMs});
    }
    if (weather.tracker === 'down' || weather.tracker === 'hanging' || chance.is(4)) {
      return failed({code: 'tracker_request', message: 'it does not respond'});
    }
    return null;
  }
}

function projectOf(name: string): string {
  return name.split('/')[0] ?? name;
}

function answered<T>(value: T): Answer<T> {
  return {ok: true, value, warnings: []};
}

function failed(failure: TrackerFailure): Answer<never> {
  return {ok: false, failure};
}
