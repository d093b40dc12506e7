// Stands between a test and a runner, so that the runner's parent can be killed: forks the runner
// named first, gives it the job named second, and says nothing else.
import {fork} from 'node:child_process';

const [runner, job] = process.argv.slice(2);
const {run_id} = JSON.parse(job);
const child = fork(runner, {
  env: {...process.env, SYMPHONY_RUN_ID: run_id},
  execArgv: [],
  stdio: 'ignore',
  detached: true,
});
child.send({order: 'start', job: JSON.parse(job)});
