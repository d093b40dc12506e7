import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingHttpHeaders} from 'node:http';
import {ApiError} from './api-error.ts';
import {hostnameOf, isLoopback, isSameOrigin} from './request-origin.ts';
import type {Access} from './route.ts';

export interface GateRules {
  /** The control listener asks everybody for the token. */
  readonly kind: 'control' | 'fixed';
  /** Where it listens. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly token: string;
}

export interface Visitor {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Our own address, as the visitor reached it. */
  readonly localAddress: string;
}

/** Why a visitor may not; null if he may. */
export function refusalOf(rules: GateRules, access: Access, visitor: Visitor): ApiError | null {
  if (access === 'signed') return null;
  const {host, origin, authorization} = visitor.headers;
  const hostname = hostnameOf(host);
  if (host === undefined || hostname === null || !isOurs(rules, hostname, visitor.localAddress)) {
    return new ApiError('foreign_host', `${host ?? 'no host'} is not a name of this supervisor`);
  }
  const isForeign =
    origin === undefined ? comesFromElsewhere(visitor) : !isSameOrigin(origin, host);
  if (isForeign) return new ApiError('foreign_origin');
  if (access === 'open') return null;
  if (authorization !== undefined) {
    return isBearerOf(authorization, rules.token) ? null : unauthorized('the token is wrong');
  }
  if (mayWithoutToken(rules, access, hostname, origin !== undefined)) return null;
  return unauthorized('this needs the control token: Authorization: Bearer <token>');
}

function mayWithoutToken(
  rules: GateRules,
  access: Access,
  hostname: string,
  isOurPage: boolean,
): boolean {
  if (rules.kind === 'control' || !isLoopback(rules.host)) return false;
  if (access === 'read') return true;
  // Under another name somebody stands in between, and who stands behind him is not known.
  return isLoopback(hostname) && (access === 'refresh' || isOurPage);
}

/** An address cannot be made to lead elsewhere: if it is the one that was reached, it is ours. */
function isOurs(rules: GateRules, hostname: string, localAddress: string): boolean {
  if (hostname === localAddress || rules.allowedHosts.includes(hostname)) return true;
  return isLoopback(rules.host) ? isLoopback(hostname) : hostname === rules.host.toLowerCase();
}

/** Browsers leave the origin out of some requests; where they say so otherwise, it is heard. */
function comesFromElsewhere({method, headers}: Visitor): boolean {
  const site = headers['sec-fetch-site'];
  if (method === 'GET' || method === 'HEAD' || site === undefined) return false;
  return site !== 'same-origin' && site !== 'none';
}

function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message, {'www-authenticate': 'Bearer'});
}

function isBearerOf(authorization: string, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  return given !== undefined && isSameSecret(given, token);
}

/** Takes as long for a near miss as for any other, whatever its length. */
function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
