import type {IncomingHttpHeaders} from 'node:http';
import type {Access} from '../api/route.ts';
import {ApiError} from '../api-error.ts';
import {type Credential, credentialOf, type Keyring} from './credential.ts';
import {hostnameOf, isForwarded, isLoopback, isSameOrigin} from './request-origin.ts';

export interface GateRules {
  /**
   * `control`: for our own commands. `fixed`: for people and scrapers. `webhooks`: for trackers
   * only.
   */
  readonly kind: 'control' | 'fixed' | 'webhooks';
  /** Where it listens. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  /** Reading on loopback needs no credential. */
  readonly publicRead: boolean;
}

export interface Visitor {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Our own address, as the caller reached it. */
  readonly localAddress: string;
}

/** The credential that admits the caller; null where none is needed. Throws the refusal. */
export function admit(
  rules: GateRules,
  keyring: Keyring,
  access: Access,
  visitor: Visitor,
): Credential | null {
  if (access === 'signed') return null;
  const {host, origin} = visitor.headers;
  const hostname = hostnameOf(host);
  if (host === undefined || hostname === null || !isOurs(rules, hostname, visitor.localAddress)) {
    throw new ApiError(
      'foreign_host',
      `${host ?? 'no host'} is not an accepted host name of this supervisor`,
    );
  }
  const isForeign =
    origin === undefined ? comesFromElsewhere(visitor) : !isSameOrigin(origin, host);
  if (isForeign) throw new ApiError('foreign_origin');
  const credential = credentialOf(visitor.headers, keyring);
  if (access === 'open') return credential === 'wrong' ? null : credential;
  if (credential === 'wrong') throw unauthorized('the token is wrong');
  if (credential === null) {
    if (isFree(rules, access, hostname, visitor)) return null;
    throw unauthorized(
      'this needs a token, or a browser signed in with `symphony-supervisor open`',
    );
  }
  if (!isEnough(credential, access)) {
    const needed = access === 'owner' ? 'the control token' : 'the control token or a session';
    throw new ApiError('forbidden', `this needs ${needed}`);
  }
  return credential;
}

function isEnough({is}: Credential, access: Access): boolean {
  if (access === 'owner') return is === 'control';
  return access !== 'control' || is !== 'read';
}

/** A non-loopback host name or a forwarding header means a reverse proxy: the real client is unknown. */
function isFree(rules: GateRules, access: Access, hostname: string, {headers}: Visitor): boolean {
  if (rules.kind !== 'fixed' || !isLoopback(rules.host)) return false;
  if (!isLoopback(hostname) || isForwarded(headers)) return false;
  return access === 'local' || (access === 'read' && rules.publicRead);
}

/** An IP address cannot be rebound: if the request reached it, it is ours. */
function isOurs(rules: GateRules, hostname: string, localAddress: string): boolean {
  if (hostname === localAddress || rules.allowedHosts.includes(hostname)) return true;
  return isLoopback(rules.host) ? isLoopback(hostname) : hostname === rules.host.toLowerCase();
}

/** Browsers omit the origin of some requests and send the kind of page instead. */
function comesFromElsewhere({method, headers}: Visitor): boolean {
  const site = headers['sec-fetch-site'];
  if (method === 'GET' || method === 'HEAD' || site === undefined) return false;
  return site !== 'same-origin' && site !== 'none';
}

function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message, {'www-authenticate': 'Bearer'});
}
