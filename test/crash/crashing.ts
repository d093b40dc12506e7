import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {readWorkflow} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import {Supervisor} from 'symphony-supervisor/supervisor';

// A supervisor that kills itself at the n-th crash point: odd ones just before a write to the store,
// even ones between the write and what it was for. Arguments: folder, n.

const [folder = '', point = ''] = process.argv.slice(2);
const dist = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));
const context = {env: process.env, profiles: PROFILES, tmpDir: folder, homeDir: folder};
const reading = await readWorkflow(join(folder, 'WORKFLOW.md'), context);
if (!reading.ok) throw new Error(JSON.stringify(reading.errors));

let points = 0;
await Supervisor.start({
  stateDir: join(folder, '.symphony'),
  logsRoot: join(folder, '.symphony/logs'),
  workflows: [reading.workflow],
  context,
  maxAgents: null,
  environment: process.env,
  runnerPath: join(dist, 'runner.js'),
  trackerThreadPath: join(dist, 'tracker-thread.js'),
  log: () => {},
  observeStore: () => {
    points++;
    if (points === Number(point)) process.kill(process.pid, 'SIGKILL');
  },
});
