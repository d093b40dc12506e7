// Stands in for an agent: what it hears goes to the test, and the test says what it does.
//   node relay.mjs CONTROL.sock [argument …]
// To the test, one JSON line each: {args}, {heard: line}, {closed: true}.
// From the test: {say: line}, {complain: text}, {exit: {code, signal}}.
import {connect} from 'node:net';
import {createInterface} from 'node:readline';

const [path = '', ...args] = process.argv.slice(2);
const control = connect(path);
const tell = (told) => control.write(`${JSON.stringify(told)}\n`);

tell({args});
createInterface({input: process.stdin})
  .on('line', (line) => tell({heard: line}))
  .on('close', () => tell({closed: true}));

createInterface({input: control})
  .on('line', (line) => {
    const {say, complain, exit} = JSON.parse(line);
    if (say !== undefined) process.stdout.write(`${say}\n`);
    if (complain !== undefined) process.stderr.write(complain);
    if (exit !== undefined) process.stdout.write('', () => leave(exit));
  })
  .on('close', () => process.exit(1)); // the test is over

function leave({code, signal}) {
  if (signal === null) process.exit(code);
  process.kill(process.pid, signal);
}
