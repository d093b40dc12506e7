import {RunFailure} from '@symphony-supervisor/protocol';
import type {ProfileTime} from '../../processes/login-shell.ts';
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

/** With `agent.shell: login` the profile is read before the agent starts, and the agent is not to blame for its time. */
export function nameSlowProfile(
  error: unknown,
  profile: ProfileTime | null,
  limitMs: number,
): unknown {
  const isLate = error instanceof RunFailure && error.failure.code === 'response_timeout';
  if (!isLate || profile === null) return error;
  const message =
    profile.tookMs === null
      ? `the agent was not started: the login profile had not ended after ${limitMs} ms; agent.shell: plain reads it once`
      : `${error.message}, of which the login profile took ${profile.tookMs} ms`;
  return new RunFailure('response_timeout', message, {cause: error});
}
