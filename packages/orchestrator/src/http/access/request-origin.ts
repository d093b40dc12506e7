import type {IncomingHttpHeaders} from 'node:http';
import {isIP} from 'node:net';

// Where a request was sent to, and which page sent it. A name that leads to this machine is not proof
// enough: whoever owns a name can let it lead here (DNS rebinding) and have a browser ask for him.

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::\d{1,5})?$/i;

/** Without port, brackets and final dot, in lower case; null if it is no host at all. */
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

/** Whether a proxy says that it passes on the request of another client. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in headers);
}

/** Behind TLS of somebody else's the schemes differ, and only the names can be compared. */
export function isSameOrigin(origin: string, hostHeader: string): boolean {
  try {
    const page = new URL(origin);
    if (page.protocol !== 'http:' && page.protocol !== 'https:') return false;
    return page.host === new URL(`${page.protocol}//${hostHeader}`).host;
  } catch {
    return false;
  }
}

/** A socket that takes both families tells IPv4 addresses in the form of IPv6. */
export function plainAddress(address: string | undefined): string {
  return (address ?? 'unknown').replace(/^::ffff:/, '');
}
