import type {IncomingHttpHeaders} from 'node:http';
import {isIP} from 'node:net';

// Where a request was sent to, and which page sent it. A host name that resolves to this machine
// proves nothing: its owner can point it here (DNS rebinding) and let a browser send the request.

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::\d{1,5})?$/i;

/** Without port, brackets and final dot, in lower case; null if it is not a host. */
export function hostnameOf(header: string | undefined): string | null {
  const name = header === undefined ? undefined : HOST.exec(header)?.[1];
  if (name === undefined) return null;
  return name
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '::1') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}

/** Whether a proxy says that it forwards a request. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in headers);
}

/** Behind a TLS proxy the schemes differ, so only the names are compared. */
export function isSameOrigin(origin: string, hostHeader: string): boolean {
  try {
    const page = new URL(origin);
    if (page.protocol !== 'http:' && page.protocol !== 'https:') return false;
    return page.host === new URL(`${page.protocol}//${hostHeader}`).host;
  } catch {
    return false;
  }
}

/** A dual-stack socket reports IPv4 addresses in IPv6 form. */
export function plainAddress(address: string | undefined): string {
  return (address ?? 'unknown').replace(/^::ffff:/, '');
}
