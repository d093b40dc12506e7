import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isInternalHost} from '../../src/http/internal-host.ts';

const hostOf = (host: string) => new URL(`https://${host}/`).hostname;

test('addresses of this machine, its network and its link are internal, in every spelling', () => {
  const internal = [
    ...['localhost', 'a.localhost', '127.0.0.1', '127.1', '0x7f.1', '2130706433', '0.0.0.0'],
    ...['10.0.0.1', '172.16.0.1', '172.31.9.9', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...['[::1]', '[::]', '[fd00::1]', '[fe80::1]', '[::ffff:10.0.0.1]', '[64:ff9b::a00:1]'],
  ];
  assert.deepEqual(
    internal.filter((host) => !isInternalHost(hostOf(host))),
    [],
  );
});

test('other addresses and names are not', () => {
  const others = [
    'github.com',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '[2606:4700::1]',
    '10.example.com',
  ];
  assert.deepEqual(
    others.filter((host) => isInternalHost(hostOf(host))),
    [],
  );
});
