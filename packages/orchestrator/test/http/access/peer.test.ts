import assert from 'node:assert/strict';
import {test} from 'node:test';
import {uidIn} from '../../../src/http/access/peer.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid';

function row(local: string, remote: string, uid: number, inode: number): string {
  return `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1`;
}

test('the client’s end of a connection is found, not the server’s', () => {
  const table = [
    HEAD,
    row('0100007F:1F90', '0100007F:C001', 0, 11), // ours
    row('0100007F:C001', '0100007F:1F90', 1000, 12),
  ].join('\n');
  const client = {address: '127.0.0.1', port: 0xc001};
  const server = {address: '127.0.0.1', port: 0x1f90};
  assert.equal(uidIn(table, client, server), 1000);
  assert.equal(uidIn(table, {...client, port: 1}, server), null);
});

test('a client that reached an IPv4 address through the other family is found, and so is ::1', () => {
  const mapped = '0000000000000000FFFF00000100007F';
  const own = '00000000000000000000000001000000';
  const table = [
    HEAD,
    row(`${mapped}:C001`, `${mapped}:1F90`, 7, 1),
    row(`${own}:C002`, `${own}:1F90`, 8, 2),
  ].join('\n');
  const four = {address: '127.0.0.1', port: 0x1f90};
  assert.equal(uidIn(table, {address: '127.0.0.1', port: 0xc001}, four), 7);
  const six = {address: '::1', port: 0x1f90};
  assert.equal(uidIn(table, {address: '::1', port: 0xc002}, six), 8);
});

test('a connection that its process has closed names nobody, not root', () => {
  const table = [HEAD, row('0100007F:C001', '0100007F:1F90', 0, 0)].join('\n');
  const client = {address: '127.0.0.1', port: 0xc001};
  assert.equal(uidIn(table, client, {address: '127.0.0.1', port: 0x1f90}), null);
});
