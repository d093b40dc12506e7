import {request} from 'node:http';

// Those who watch, in a process of their own, and in plain JavaScript: it is started often. Arguments: url, how many. Says how many events they got.

const [url = '', count = '0'] = process.argv.slice(2);
let events = 0;

await Promise.all(
  Array.from(
    {length: Number(count)},
    () =>
      new Promise((resolve, reject) => {
        request(`${url}/api/v1/events`, {agent: false}, (stream) => {
          stream.setEncoding('latin1');
          stream.on('data', (text) => {
            if (text.includes('event: snapshot')) events++;
          });
          stream.on('error', () => {});
          resolve();
        })
          .once('error', reject)
          .end();
      }),
  ),
);
process.send?.('watching');
process.once('message', () => {
  process.send?.(events, () => process.exit(0));
});
