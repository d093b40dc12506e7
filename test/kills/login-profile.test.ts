import assert from 'node:assert/strict';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {readLoginEnvironment} from '@symphony-supervisor/protocol/processes';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aProject} from '../rig/supervisor.ts';
import {startSupervisorCommand} from '../rig/supervisor-command.ts';
import {until} from '../rig/survivors.ts';

// A profile that takes a lock and releases it in an EXIT trap, as pyenv's does. SIGKILL would leave the lock behind, and
// every later login of that user would wait for it. So nothing of ours may be killed there without a SIGTERM.

const ROUNDS = Number(process.env.LOGIN_ROUNDS ?? 8);

const PROFILE = `
until mkdir "$HOME/lock" 2>/dev/null; do sleep 0.05; done
trap 'rmdir "$HOME/lock"' EXIT
sleep 0.4
`;

type Signals = readonly NodeJS.Signals[];
/** What happens while the profile holds its lock; a start that fails ends by itself. */
const COURSES: Readonly<Record<string, Signals>> = {
  'a stop': ['SIGTERM'],
  'Ctrl-C': ['SIGINT'],
  'a second signal': ['SIGTERM', 'SIGTERM'],
  'a kill of the supervisor': ['SIGKILL'],
  'a start that the tracker refuses': [],
};

async function aRefusingTracker() {
  const server = createServer((_request, response) => {
    response.writeHead(401, {'content-type': 'application/json'}).end('{"message": "no"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {tracker: {kind: 'github', provider: {repo: 'owner/name', api_url}}};
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return {settings, [Symbol.dispose]: close};
}

/** One life of a supervisor that ends while the profile is at work. Says how. */
async function live(cwd: string, signals: Signals): Promise<number | NodeJS.Signals> {
  const child = startSupervisorCommand([], {cwd, env: {HOME: cwd, GITHUB_TOKEN: 'not-a-token'}});
  using _end = {[Symbol.dispose]: () => void child.kill('SIGKILL')};
  const exited = once(child, 'exit');
  child.stdout.resume();
  child.stderr.resume();
  const isHeld = async () => (existsSync(join(cwd, 'lock')) ? true : null);
  if (signals.length > 0) assert.ok(await until(isHeld), 'the profile was never read');
  for (const signal of signals) child.kill(signal);
  const [code, signal] = await exited;
  return code ?? signal;
}

for (const shell of ['plain', 'login']) {
  test(`no lock of a login profile is left behind, whatever happens (agent.shell: ${shell})`, async () => {
    using refusing = await aRefusingTracker();
    const agent = {shell};
    await using folder = await aProject('cat', [], {agent});
    await using refused = await aProject('cat', [], {agent, ...refusing.settings});
    for (const {path} of [folder, refused]) await writeFile(join(path, '.profile'), PROFILE);
    const courses = Object.entries(COURSES);
    for (let round = 0; round < ROUNDS; round++) {
      const [name, signals] = courses[round % courses.length] ?? ['', []];
      const {path} = signals.length === 0 ? refused : folder;
      const end = await live(path, signals);
      if (signals.length === 0) assert.equal(end, 4);
      // After a kill of the supervisor the shell goes on by itself to its end.
      const released = await until(async () => (existsSync(join(path, 'lock')) ? null : true));
      assert.ok(released, `round ${round}: ${name} left the lock behind`);
    }
  });
}

test('a profile that hangs is ended in order after ten seconds', async () => {
  await using home = await aFolder();
  await writeFile(join(home.path, '.profile'), PROFILE.replace('sleep 0.4', 'sleep 600'));
  const environment = {...process.env, HOME: home.path};
  const reading = await readLoginEnvironment({environment, secretNames: []});
  assert.ok(!reading.ok);
  assert.equal(reading.reason, 'it did not end within 10 s');
  assert.equal(existsSync(join(home.path, 'lock')), false);
});
