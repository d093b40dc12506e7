import {createMask} from '@symphony-supervisor/protocol';
import {RunProcesses} from '../../../src/processes/run-processes.ts';
import {pushHead} from '../../../src/workspace/push/push-head.ts';

// A process that pushes, to be killed meanwhile. Its argument is what to push, as JSON.
const {runId, repository, remote, order, environment, scratch} = JSON.parse(process.argv[2] ?? '');
await pushHead(repository, remote, order, {
  processes: new RunProcesses(runId, [], 'plain'),
  ...{environment, scratch, secretNames: [], mask: createMask({values: []})},
});
