import type {IncomingMessage} from 'node:http';
import {ApiError} from '../api-error.ts';
import type {Credential} from './credential.ts';
import {describePeer} from './peer.ts';

const NAME = /^[\w .@:+-]{1,80}$/;

/**
 * Names the origin of an order for its record: the credential and the peer address. A user name is
 * read from a header only together with the control token, which our own commands send.
 */
export async function describeCaller(
  credential: Credential | null,
  {headers, socket}: IncomingMessage,
): Promise<string> {
  const peer = await describePeer(socket);
  if (credential === null) return peer;
  if (credential.is === 'session') return `session ${credential.id}, ${peer}`;
  if (credential.is === 'read') return `read token, ${peer}`;
  const name = headers['x-symphony-by'];
  if (name === undefined) return `control token, ${peer}`;
  if (typeof name === 'string' && NAME.test(name)) return `control token (${name}), ${peer}`;
  const form = 'at most 80 letters, digits, blanks and any of _ . @ : + -';
  throw new ApiError('bad_request', `X-Symphony-By: ${form}`);
}
