import type {AgentBasics, FailureCode} from '@symphony-supervisor/protocol';
import type {Agent} from '../../../src/agent/agent.ts';
import type {Environment} from '../../../src/job/environment.ts';
import type {CaseId} from './cases/all.ts';
import type {TurnDeeds} from './deed.ts';

/** What a player is said to hold of the contract. `docs/agents/contract.md` is made from it. */
export interface Declaration {
  /** `scripted`: a program of ours that plays the agent; else the real program by its name. */
  readonly player: string;
  /** Cases that it cannot play, each with the reason. */
  readonly cannot: Readonly<Partial<Record<CaseId, string>>>;
  /** Cases in which a turn fails by another code than the contract's, each with the reason. */
  readonly otherCodes: Readonly<Partial<Record<CaseId, {code: FailureCode; because: string}>>>;
}

/** A kind of agent, with something that plays it. */
export interface Player<Job extends AgentBasics> extends Declaration {
  readonly kind: string;
  readonly agent: Agent<Job>;
  /** The shortest limit of silence that it keeps within a turn in which nothing is wrong. */
  readonly silenceMs: number;
  /** Called once for each case. `home` is an empty folder outside the workspace. */
  enter(home: string): Promise<Actor<Job>> | Actor<Job>;
}

/** A player within one case. */
export interface Actor<Job extends AgentBasics> extends AsyncDisposable {
  /**
   * Starts a process that does this, a list of deeds for each turn. A second one is another process with the same
   * conversations.
   */
  job(turns: readonly TurnDeeds[]): Job | Promise<Job>;
  /** Variables that its command relies on; they are in the runner's own environment. */
  readonly env: Environment;
  /** One that starts and refuses to work with us. */
  refusing(): Job | Promise<Job>;
  /** One whose user is not logged in. */
  loggedOut(): Job | Promise<Job>;
}

/** The short form, for a program of ours that gets its deeds by its command line. */
export interface ScriptedPlayer<Job extends AgentBasics> {
  readonly kind: string;
  readonly agent: Agent<Job>;
  readonly cannot?: Declaration['cannot'];
  readonly otherCodes?: Declaration['otherCodes'];
  job(home: string, turns: readonly TurnDeeds[]): Job;
  refusing(): Job;
  loggedOut?(): Job;
}

const SCRIPTED_SILENCE_MS = 500;

export function scripted<Job extends AgentBasics>(short: ScriptedPlayer<Job>): Player<Job> {
  const {kind, agent, cannot = {}, otherCodes = {}} = short;
  return {
    ...{kind, player: 'scripted', agent, cannot, otherCodes, silenceMs: SCRIPTED_SILENCE_MS},
    enter: (home) => ({
      job: (turns) => short.job(home, turns),
      env: {},
      refusing: () => short.refusing(),
      loggedOut: () => short.loggedOut?.() ?? short.job(home, []),
      [Symbol.asyncDispose]: async () => {},
    }),
  };
}
