import type {Findings} from '../../workflow/text/findings.ts';
import type {AgentAccess} from '../agent-job.ts';
import type {GivenSections} from '../sections.ts';
import type {CodexOptions} from './options.ts';

type Given = Pick<GivenSections['codex'], 'thread_sandbox' | 'turn_sandbox_policy'>;
type Sandbox = Pick<CodexOptions, 'thread_sandbox' | 'turn_sandbox_policy'>;

/** Sandboxes that let an agent do more than `agent.access` says. */
const WIDER: Readonly<Record<AgentAccess, readonly string[]>> = {
  write: [],
  artifact: ['danger-full-access', 'dangerFullAccess'],
  read: ['workspace-write', 'danger-full-access', 'workspaceWrite', 'dangerFullAccess'],
};

/** Codex enforces `agent.access` by its sandbox: `read` is its read-only one. */
export function resolveSandbox(given: Given, access: AgentAccess, findings: Findings): Sandbox {
  const {thread_sandbox: thread, turn_sandbox_policy: turn} = given;
  if (thread !== null) check(['codex', 'thread_sandbox'], thread, access, findings);
  if (turn !== null) check(['codex', 'turn_sandbox_policy', 'type'], turn.type, access, findings);
  return {
    thread_sandbox: thread ?? (access === 'read' ? 'read-only' : 'workspace-write'),
    turn_sandbox_policy: turn as Sandbox['turn_sandbox_policy'],
  };
}

function check(key: string[], given: unknown, access: AgentAccess, findings: Findings): void {
  if (typeof given !== 'string' || !WIDER[access].includes(given)) return;
  const message = `${findings.asGiven(key)}, which allows more than agent.access: ${access}; leave one of them out`;
  findings.error('invalid_setting', key, message);
}
