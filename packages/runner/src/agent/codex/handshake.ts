import {RunFailure} from '@symphony-supervisor/protocol';
import {VERSION} from '../../version.ts';
import {type JsonRpcPeer, RefusedRequest} from '../wire/peer.ts';
import {requestFailure} from './failures.ts';
import {InitializeResult} from './wire/messages.ts';

/** The handshake. Returns what the agent calls itself. */
export async function initialize(peer: JsonRpcPeer, timeoutMs: number): Promise<string> {
  const params = {
    clientInfo: {name: 'symphony-supervisor', title: 'Symphony Supervisor', version: VERSION},
    // Tools and the cleaning of background terminals are experimental; without it both are refused.
    // The whole diff of a turn, sent anew with every edit, is in the edits already.
    capabilities: {experimentalApi: true, optOutNotificationMethods: ['turn/diff/updated']},
  };
  try {
    const result = await peer.request('initialize', params, timeoutMs);
    peer.notify('initialized');
    return InitializeResult.parse(result).userAgent;
  } catch (error) {
    if (error instanceof RefusedRequest) {
      throw new RunFailure('agent_incompatible', `the agent refused ${error.message}`, {
        cause: error,
      });
    }
    throw requestFailure(error);
  }
}
