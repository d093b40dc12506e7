// Imported by profiles: nothing big may come in here.

export const ENDPOINT_RULE =
  'an https address without a password in it (http only on this machine)';

/** The address of a tracker's API; null if a credential must not be sent there. */
export function toEndpoint(value: unknown): URL | null {
  if (typeof value !== 'string' || !URL.canParse(value.trim())) return null;
  const url = new URL(value.trim());
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && isLoopback(url.hostname) ? url : null;
}

/** By what the address says, never by asking a name server, whose answer may change. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
