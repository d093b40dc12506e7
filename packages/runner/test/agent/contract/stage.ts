import type {AgentBasics, FailureCode, RunFailure} from '@symphony-supervisor/protocol';
import {
  type Conversation,
  type ConversationOptions,
  converseWith,
  probeWith,
} from './conversation.ts';
import type {TurnDeeds} from './deed.ts';
import type {Actor, Player} from './player.ts';
import type {Place} from './surroundings.ts';

interface TalkOptions extends ConversationOptions {
  readonly turnTimeoutMs?: number;
}

/** What a case of the contract is played with. */
export interface Stage {
  readonly workspace: string;
  readonly home: string;
  readonly folder: string;
  readonly isMeasured: () => Promise<boolean>;
  readonly silenceMs: number;
  /** The code that the contract names, unless the kind has declared another. */
  codeOf(usual: FailureCode): FailureCode;
  /** A new process that does this, and a session with it in which nothing has been said. */
  talk(turns: readonly TurnDeeds[], options?: TalkOptions): Promise<Conversation>;
  /** The same with a process that is not the usual one. */
  talkTo(which: 'missing' | 'refusing'): Promise<Conversation>;
  probe(which: 'usual' | 'missing' | 'refusing' | 'logged-out'): ReturnType<typeof probeWith>;
}

/** A rule that holds for every kind of agent. */
export interface ContractCase {
  readonly rule: string;
  readonly play: (stage: Stage) => Promise<void>;
}

export function stageOf<Job extends AgentBasics>(
  player: Player<Job>,
  actor: Actor<Job>,
  place: Place,
  otherCode: FailureCode | null,
): Stage {
  const {agent, silenceMs} = player;
  const unusual = async (which: 'usual' | 'missing' | 'refusing' | 'logged-out'): Promise<Job> => {
    if (which === 'refusing') return actor.refusing();
    if (which === 'logged-out') return actor.loggedOut();
    const job = await actor.job([]);
    return which === 'missing' ? {...job, command: 'no-such-agent-here'} : job;
  };
  return {
    ...{workspace: place.workspace, home: place.home, folder: place.folder, silenceMs},
    isMeasured: async () => agent.isMeasured(await actor.job([])),
    codeOf: (usual) => otherCode ?? usual,
    talk: async (turns, {turnTimeoutMs, ...options} = {}) => {
      const job = await actor.job(turns);
      const limited = turnTimeoutMs === undefined ? job : {...job, turn_timeout_ms: turnTimeoutMs};
      return converseWith(agent, limited, place, options);
    },
    talkTo: async (which) => converseWith(agent, await unusual(which), place),
    probe: async (which) => probeWith(agent, await unusual(which), place),
  };
}

export function failingBy(code: FailureCode) {
  return (error: unknown) => (error as RunFailure).failure.code === code;
}
