import {RunFailure} from '@symphony-supervisor/protocol';
import {VERSION} from '../../version.ts';
import {type JsonRpcPeer, RefusedRequest} from '../wire/peer.ts';
import {requestFailure} from './failures.ts';
import {InitializeResult} from './messages.ts';

/** The version of the protocol that we speak. */
const PROTOCOL_VERSION = 1;

/** What an agent says of itself. */
export interface AgentFacts {
  readonly version: string | null;
  /** The methods by which a conversation can be gone on with. */
  readonly canResume: boolean;
  readonly canLoad: boolean;
  /** Whether it can reach tools by HTTP; all agents can by stdio. */
  readonly reachesHttp: boolean;
  /** For people. */
  readonly howToLogIn: string;
}

/** The first words. An agent that speaks another version of the protocol is not worked with. */
export async function initialize(peer: JsonRpcPeer, limitMs: number): Promise<AgentFacts> {
  const params = {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {
      // The agent has the workspace itself: what it did through us would escape its own rules.
      fs: {readTextFile: false, writeTextFile: false},
      terminal: false,
      // Announced, so that a question comes to us instead of an invented answer; it is passed on to a person.
      elicitation: {form: {}},
    },
    clientInfo: {name: 'symphony-supervisor', title: 'Symphony Supervisor', version: VERSION},
  };
  try {
    return factsOf(InitializeResult.parse(await peer.request('initialize', params, limitMs)));
  } catch (error) {
    if (error instanceof RefusedRequest) {
      const message = `the agent refused ${error.message}`;
      throw new RunFailure('agent_incompatible', message, {cause: error});
    }
    throw requestFailure(error);
  }
}

function factsOf(result: InitializeResult): AgentFacts {
  const {protocolVersion, agentCapabilities, agentInfo, authMethods} = result;
  if (protocolVersion !== PROTOCOL_VERSION) {
    const theirs = JSON.stringify(protocolVersion) ?? 'none';
    const message = `the agent speaks version ${theirs} of the Agent Client Protocol, and we speak version ${PROTOCOL_VERSION}; install a version of it that speaks ours`;
    throw new RunFailure('agent_incompatible', message);
  }
  return {
    version: agentInfo?.version ?? null,
    canResume: isOffered(agentCapabilities?.sessionCapabilities?.resume),
    canLoad: isOffered(agentCapabilities?.loadSession),
    reachesHttp: isOffered(agentCapabilities?.mcpCapabilities?.http),
    howToLogIn:
      (authMethods ?? [])
        .map(({name, description}) => description ?? name ?? '')
        .filter((text) => text !== '')
        .join('; ') || 'log in with the program of the agent',
  };
}

function isOffered(capability: unknown): boolean {
  return capability !== undefined && capability !== null && capability !== false;
}
