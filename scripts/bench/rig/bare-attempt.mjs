// The least that an attempt in a process of its own can be: start, start the agent in a login shell, one
// turn, end. Arguments: the agent's command.. Plain JavaScript, as a
// loader would not be the least.
import {spawn} from 'node:child_process';

const [command = ''] = process.argv.slice(2);
const agent = spawn('bash', ['-lc', command], {stdio: ['pipe', 'pipe', 'inherit']});
const send = (method, id) => agent.stdin.write(`${JSON.stringify({method, id, params: {}})}\n`);
send('initialize', 0);

let text = '';
agent.stdout.setEncoding('utf8').on('data', (chunk) => {
  text += chunk;
  const lines = text.split('\n');
  text = lines.pop() ?? '';
  for (const line of lines) hear(JSON.parse(line));
});

function hear({id, method}) {
  if (id === 0) send('thread/start', 1);
  else if (id === 1) send('turn/start', 2);
  else if (method === 'turn/completed') agent.stdin.end();
}
agent.on('close', () => process.disconnect?.());
