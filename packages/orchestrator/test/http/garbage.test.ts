import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {type AddressInfo, connect, type Socket} from 'node:net';
import {test} from 'node:test';
import {answerGarbage} from '../../src/http/garbage.ts';

test('what is no request is answered, and its connection closed whether or not the caller closes it', async () => {
  const server = createServer().on('clientError', answerGarbage).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  // A caller that keeps its own half open.
  const socket = connect({port, host: '127.0.0.1', allowHalfOpen: true});
  using _ended = {
    [Symbol.dispose]: () => {
      socket.destroy();
      server.close();
    },
  };
  const [accepted] = (await once(server, 'connection')) as [Socket];
  const closed = once(accepted, 'close');
  socket.write('NONSENSE\r\n\r\n');
  socket.setEncoding('latin1');
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 400 /);
  await closed;
});
