import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {startupSnapshot} from 'node:v8';
import {
  type AttemptJob,
  FromRunner,
  localTransports,
  PROTOCOL_VERSION,
  type ToRunner,
} from '@symphony-supervisor/protocol';
import {REHEARSED_AGENT} from './agent/kinds.ts';
import {StopSignal} from './job/stop-signal.ts';
import {takeJob} from './job/take-job.ts';
import {FLUSH_MS} from './transcript/transcript.ts';

/**
 * For `node --build-snapshot`: a process that starts from the snapshot has our code loaded, and begins with `main`. One
 * attempt is rehearsed in `folder` first, so that the functions of an attempt are compiled as well.
 */
export async function buildSnapshot(folder: string, main: () => void): Promise<void> {
  // Node's timers remember when the next one was due in the process that built the snapshot, cleared or not, and do not
  // wake up for a later one until one has fired. So every process begins with a timer that is due before all of them.
  startupSnapshot.setDeserializeMainFunction(() => setTimeout(main, 0));
  const [ours, theirs] = localTransports();
  const job = rehearsal(folder);
  const tell = (order: ToRunner) => void ours.send(order).catch(() => {});
  ours.onMessage((message) => {
    const said = FromRunner.parse(message);
    if (said.to === 'report') return;
    const value = {issue: job.issue, go_on: false};
    tell({order: 'answer', answer: {answer: 'issue', id: said.call.id, value}});
  });
  // Only what is needed to find a shell: the rest of the environment would stay in the snapshot.
  const environment = {PATH: process.env.PATH ?? '', HOME: folder};
  const stop = new StopSignal();
  const working = takeJob({transport: theirs, environment, stop, onProcesses: () => {}});
  tell({order: 'start', job});
  await working;
  // On a busy machine a start can take longer than the transcript's timer; the next one is the heartbeat's.
  await sleep(2 * FLUSH_MS);
}

function rehearsal(folder: string): AttemptJob {
  return {
    ...{kind: 'attempt', protocol: PROTOCOL_VERSION, run_id: `rehearsal-${process.pid}`},
    ...{transcript_path: join(folder, 'transcript.jsonl'), transcript_max_bytes: 1024 * 1024},
    ...{secret_names: [], shell: 'plain', workspace_root: join(folder, 'workspaces')},
    issue: {
      ...{id: 'rehearsal', identifier: 'rehearsal', title: 'Rehearsal', description: null},
      ...{priority: null, state: 'Todo', branch_name: null, url: null, assignee_id: null},
      ...{labels: [], blocked_by: [], dispatchable: true, native_ref: null},
      ...{created_at: null, updated_at: null},
    },
    hooks: {
      ...{after_create: 'true', before_run: null, after_run: null},
      ...{deliver: null, before_remove: null},
      timeout_ms: 5_000,
    },
    prompt: {template: 'Work on {{ issue.identifier }}: {{ issue.title }}', engine: null},
    ...{role: 'worker', phase: null, attempt: null, retry: null, last_error: null},
    ...{messages: [], thread: null},
    ...{max_turns: 2, max_idle_turns: 0, agent_env: [], tools: []},
    agent: REHEARSED_AGENT,
  };
}
