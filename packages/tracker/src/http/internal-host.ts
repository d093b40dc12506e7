import {BlockList, isIP} from 'node:net';

const INTERNAL = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  INTERNAL.addSubnet(address, prefix, 'ipv4');
}
for (const [address, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  INTERNAL.addSubnet(address, prefix, 'ipv6');
}

/** Whether an address names this machine, its network or its link; host names are not resolved. */
export function isInternalHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  // An IPv4 address in IPv6 form is held against the IPv4 networks, too.
  if (version !== 0) return INTERNAL.check(address, version === 4 ? 'ipv4' : 'ipv6');
  return /(^|\.)localhost\.?$/i.test(hostname);
}
