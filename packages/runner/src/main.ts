import {asItWasGiven, ipcTransport} from '@symphony-supervisor/protocol';
import {StopSignal} from './job/stop-signal.ts';
import {takeJob} from './job/take-job.ts';
import type {RunProcesses} from './processes/run-processes.ts';
import {buildSnapshot} from './snapshot.ts';

// The process of a runner that a supervisor has forked. Everything else is in take-job.ts.

if (process.execArgv.includes('--build-snapshot')) void buildSnapshot(process.argv[2] ?? '', main);
else main();

function main(): void {
  const stop = new StopSignal();
  let processes: RunProcesses | null = null;

  // When the supervisor has exited, its end of our output is closed; that must not end the runner before its work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => stop.supervisorIsGone());
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      console.error(error);
      processes?.killAll();
      process.exit(1);
    });
  }

  const environment = asItWasGiven(process.env);
  void takeJob({
    transport: ipcTransport(process),
    environment,
    stop,
    onProcesses: (started) => {
      processes = started;
    },
  }).then(() => process.exit(0));
}
