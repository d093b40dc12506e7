import type {LoginFacts, Workflow} from '@symphony-supervisor/protocol';
import {
  describeLoginFailure,
  type LoginReading,
  type readLoginEnvironment,
} from '@symphony-supervisor/protocol/processes';
import type {Log} from '../../log.ts';
import type {Clock} from '../../timers.ts';

type Variables = Readonly<Record<string, string>>;

export interface LoginShellOptions {
  /** The supervisor's environment: the input of the login shell, and the fallback for hooks and agents. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of all projects, at the time of the call. */
  readonly workflows: () => readonly Workflow[];
  readonly clock: Clock;
  readonly log: Log;
  readonly read: typeof readLoginEnvironment;
}

/** Long enough to cost nothing, short enough for keys that a profile fetches daily. */
const RENEW_AFTER_MS = 12 * 60 * 60_000;

/**
 * The login environment of hooks and agents, read once and renewed on request. It stays in the memory of this process
 * and is sent to runners by IPC: it holds everything the profile exports, so it is neither logged nor stored.
 */
export class LoginShell implements AsyncDisposable {
  readonly #options: LoginShellOptions;
  readonly #ended = new AbortController();
  #reading: Promise<void> | null = null;
  #isRenewalQueued = false;
  #variables: Variables | null = null;
  #takenAt = Number.NEGATIVE_INFINITY;
  #facts: LoginFacts | null = null;

  constructor(options: LoginShellOptions) {
    this.#options = options;
  }

  /** The last reading; null before the first has ended. */
  get facts(): LoginFacts | null {
    return this.#facts;
  }

  /**
   * Reads the profile again, unless every project uses login shells of its own. A request during a reading causes
   * one more after it.
   */
  renew(): void {
    if (this.#ended.signal.aborted || this.#isRenewalQueued) return;
    if (this.#options.workflows().every(({settings}) => settings.agent.shell === 'login')) return;
    this.#isRenewalQueued = this.#reading !== null;
    const before = this.#reading ?? Promise.resolve();
    const reading = before.then(() => {
      this.#isRenewalQueued = false;
      return this.#read();
    });
    this.#reading = reading;
    void reading.then(() => {
      if (this.#reading === reading) this.#reading = null;
    });
  }

  /** Waits for a current reading. After a failure the last successful one stays in force, or the supervisor's environment. */
  async environment(): Promise<Variables> {
    const isOld = this.#options.clock.monotonic() - this.#takenAt >= RENEW_AFTER_MS;
    if (this.#reading === null && isOld) this.renew();
    // Until all are done: a renewal may have been queued behind the awaited one.
    while (this.#reading !== null) await this.#reading;
    const secretNames = this.#secretNames();
    const entries = Object.entries(this.#variables ?? this.#options.environment);
    return Object.fromEntries(
      entries.flatMap(([name, value]): [string, string][] =>
        value === undefined || secretNames.includes(name) ? [] : [[name, value]],
      ),
    );
  }

  /** Ends the login shell cleanly: its profile may hold a lock. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    while (this.#reading !== null) await this.#reading;
  }

  async #read(): Promise<void> {
    const {environment, clock, read} = this.#options;
    const {signal} = this.#ended;
    const reading = await read({environment, secretNames: this.#secretNames(), signal});
    if (signal.aborted) return;
    // Also after a failure: the next attempt is on request, or half a day later, not with every run.
    this.#takenAt = clock.monotonic();
    if (reading.ok) this.#variables = reading.variables;
    this.#facts = {
      at: new Date(clock.now()).toISOString(),
      took_ms: reading.tookMs,
      profile: reading.profile,
      problem: reading.ok ? null : reading.reason,
    };
    this.#tell(reading);
  }

  /** A project must not see the secrets of another project's tracker either. */
  #secretNames(): string[] {
    return this.#options.workflows().flatMap(({settings}) => settings.tracker.secretNames);
  }

  #tell(reading: LoginReading): void {
    const {log} = this.#options;
    const {tookMs, profile} = reading;
    const about = {took_ms: tookMs, profile};
    if (reading.ok) return log('info', {event: 'login.read', ...about}, 'login.read');
    const using =
      this.#variables === null ? "the supervisor's environment" : 'the environment read before';
    const reason = `${describeLoginFailure(reading)}; hooks and agents get ${using}`;
    log('warn', {event: 'login.failed', ...about, reason}, 'the login shell failed');
  }
}
