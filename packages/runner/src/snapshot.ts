import {join} from 'node:path';
import {
  type AttemptJob,
  FromRunner,
  localTransports,
  PROTOCOL_VERSION,
  type ToRunner,
} from '@symphony-supervisor/protocol';
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
      ...{after_create: 'true', before_run: null, after_run: null, before_remove: null},
      timeout_ms: 5_000,
    },
    attempt: null,
    prompt: {template: 'Work on {{ issue.identifier }}: {{ issue.title }}', engine: null},
    ...{retry: null, last_error: null, messages: [], thread: null},
    ...{max_turns: 2, max_idle_turns: 0},
    ...{agent_env: [], tools: []},
    codex: {
      ...{command: AGENT, model: null, effort: null, approval_policy: 'never'},
      ...{thread_sandbox: 'workspace-write', turn_sandbox_policy: null},
      ...{turn_timeout_ms: 5_000, read_timeout_ms: 5_000},
    },
  };
}

/** Says of everything that agents say a little. */
const AGENT = String.raw`
thread='"threadId":"rehearsal"'
tell() { printf '{"method":"%s","params":{%s,%s}}\n' "$1" "$thread" "$2"; }
tokens='{"totalTokens":2,"inputTokens":1,"cachedInputTokens":0,"outputTokens":1,"reasoningOutputTokens":0}'
limits='{"primary":{"usedPercent":1,"windowDurationMins":300,"resetsAt":1}}'
while IFS= read -r line; do
  [[ $line =~ ^\{\"method\":\"([^\"]+)\",\"id\":([0-9]+) ]] || continue
  method=${'$'}{BASH_REMATCH[1]} id=${'$'}{BASH_REMATCH[2]}
  case $method in
    initialize) result='{"userAgent":"rehearsal/1"}' ;;
    thread/start) result='{"thread":{"id":"rehearsal"},"approvalPolicy":"never"}' ;;
    turn/start) result='{"turn":{"id":"turn","status":"inProgress"}}' ;;
    *) result='{}' ;;
  esac
  printf '{"id":%s,"result":%s}\n' "$id" "$result"
  [[ $method == turn/start ]] || continue
  tell turn/started '"turn":{"id":"turn","status":"inProgress"}'
  for number in {1..20}; do
    tell item/agentMessage/delta '"turnId":"turn","itemId":"item","delta":"word '$number' "'
    ((number % 10)) || sleep 0.05 # so that nothing else is heard with them
  done
  tell item/completed '"turnId":"turn","item":{"type":"agentMessage","id":"item","text":"done"}'
  tell thread/tokenUsage/updated '"turnId":"turn","tokenUsage":{"total":'$tokens',"last":'$tokens'}'
  printf '{"method":"account/rateLimits/updated","params":{"rateLimits":%s}}\n' "$limits"
  tell turn/completed '"turn":{"id":"turn","status":"completed","items":[],"error":null}'
done`;
