import {join} from 'node:path';
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

/**
 * For `node --build-snapshot`: a process that starts from what is written then begins with `main`, and
 * has all of our code loaded. One attempt is rehearsed first, in `folder` and with an agent of a few
 * lines, so that what an attempt uses, Node's own code included, is compiled as well.
 */
export function makeSnapshot(folder: string, main: () => void): void {
  // Not imported: those who only start have no use for it.
  const {startupSnapshot} = process.getBuiltinModule('node:v8');
  // Node's timers still know when the next one was due in the process that made this, and would not wake up
  // for any that is due later. One that fires puts that right; should it not, the process ends before it began.
  startupSnapshot.setDeserializeMainFunction(() => setTimeout(main, 0));
  void rehearse(folder);
}

async function rehearse(folder: string): Promise<void> {
  const [ours, theirs] = localTransports();
  const job = rehearsal(folder);
  const tell = (order: ToRunner) => void ours.send(order).catch(() => {});
  ours.onMessage((message) => {
    const said = FromRunner.parse(message);
    if (said.to === 'report') return;
    const value = {issue: job.issue, go_on: false};
    tell({order: 'answer', answer: {answer: 'issue', id: said.call.id, value}});
  });
  // Nothing of our own environment but what it takes to find a shell: it would stay in the file.
  const environment = {PATH: process.env.PATH ?? '', HOME: folder};
  const working = takeJob({
    ...{transport: theirs, environment, stop: new StopSignal()},
    onProcesses: () => {},
  });
  tell({order: 'start', job});
  await working;
}

function rehearsal(folder: string): AttemptJob {
  const issue: AttemptJob['issue'] = {
    ...{id: 'rehearsal', identifier: 'rehearsal', title: 'Rehearsal', description: null},
    ...{priority: null, state: 'Todo', branch_name: null, url: null, assignee_id: null},
    ...{labels: [], blocked_by: [], dispatchable: true, native_ref: null},
    ...{created_at: null, updated_at: null},
  };
  return {
    kind: 'attempt',
    protocol: PROTOCOL_VERSION,
    run_id: `rehearsal-${process.pid}`,
    transcript_path: join(folder, 'transcript.jsonl'),
    transcript_max_bytes: 1024 * 1024,
    secret_names: [],
    shell: 'plain',
    issue,
    workspace_root: join(folder, 'workspaces'),
    hooks: {
      ...{after_create: 'true', before_run: null, after_run: null},
      ...{deliver: null, before_remove: null},
      timeout_ms: 5_000,
    },
    attempt: null,
    prompt: {template: 'Work on {{ issue.identifier }}: {{ issue.title }}', engine: null},
    ...{retry: null, last_error: null, messages: [], thread: null},
    ...{max_turns: 2, max_idle_turns: 0},
    ...{agent_env: [], tools: []},
    agent: REHEARSED_AGENT,
  };
}
