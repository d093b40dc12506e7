import {readFile} from 'node:fs/promises';
import type {Socket} from 'node:net';
import {isIPv6} from 'node:net';
import {isLoopback, plainAddress} from './request-origin.ts';

/** Where a request came from, for the record: an address and, on Linux loopback, the user behind it. */
export async function describePeer(socket: Socket): Promise<string> {
  const {remoteAddress, remotePort, localAddress, localPort} = socket;
  if (remoteAddress === undefined || remotePort === undefined) return 'control socket';
  const address = plainAddress(remoteAddress);
  const local = plainAddress(localAddress);
  if (!isLoopback(address)) return address;
  const uid = await uidOf({address, port: remotePort}, {address: local, port: localPort ?? 0});
  return uid === null ? address : `${address} uid ${uid}`;
}

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** The user that owns the client's end of a connection on this machine; null where that is not known. */
async function uidOf(client: Endpoint, server: Endpoint): Promise<number | null> {
  // A client may have reached an IPv4 address through a socket of the other family.
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '');
    const uid = uidIn(text, client, server);
    if (uid !== null) return uid;
  }
  return null;
}

/** Reads a table of the kernel: `sl local remote state queues timer retransmits uid timeout inode`. */
export function uidIn(table: string, client: Endpoint, server: Endpoint): number | null {
  const ends = (endpoint: Endpoint) =>
    kernelForms(endpoint.address).map((form) => `${form}:${hex(endpoint.port, 4)}`);
  const [clients, servers] = [new Set(ends(client)), new Set(ends(server))];
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', , , , , uid = '', , inode = '0'] = line.trim().split(/\s+/);
    // A socket that its process has closed has no inode, and is listed under uid 0.
    if (clients.has(local) && servers.has(remote) && inode !== '0') return Number(uid);
  }
  return null;
}

/** An address as a little-endian kernel prints it: each group of four bytes reversed. */
function kernelForms(address: string): string[] {
  const bytes = isIPv6(address) ? bytesOf6(address) : address.split('.').map(Number);
  const words = groups(bytes, 4).map((group) =>
    group
      .toReversed()
      .map((byte) => hex(byte, 2))
      .join(''),
  );
  const form = words.join('');
  return bytes.length === 4 ? [form, `0000000000000000FFFF0000${form}`] : [form];
}

/** Loopback addresses only: `::1`, and what abbreviates to few groups. */
function bytesOf6(address: string): number[] {
  const [head = '', tail = ''] = address.split('::');
  const words = (text: string) => text.split(':').filter((word) => word !== '');
  const [before, after] = [words(head), words(tail)];
  const zeros = Array.from({length: 8 - before.length - after.length}, () => '0');
  return [...before, ...zeros, ...after].flatMap((word) => {
    const value = Number.parseInt(word, 16);
    return [value >> 8, value & 0xff];
  });
}

function groups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({length: all.length / size}, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
