import {CODEX_WORDS} from '@symphony-supervisor/protocol/codex';
import type {AgentChecks, AgentOf, Environment} from './agent-checks.ts';
import {type Check, fail, ok, skip, warn} from './check.ts';
import {tryCommand} from './command.ts';

const SANDBOX_LIMIT_MS = 20_000;
const APPROVALS: readonly string[] = CODEX_WORDS.approval_policy;
const SANDBOXES: readonly string[] = CODEX_WORDS.thread_sandbox;

export const codexChecks: AgentChecks<'codex'> = {
  remedies: {
    agent_not_found: 'install it (npm install -g @openai/codex), or set agent.command',
    agent_incompatible: 'install another version of it, or fix its configuration',
    unauthorized: 'log in as the user of the supervisor: codex login',
  },
  protection: checkPolicies,
  trySandbox: checkSandbox,
};

/** Without a conversation, which would leave traces in the agent's own home: by the words it knows. */
export function checkPolicies({options, access}: AgentOf<'codex'>): Check {
  const {approval_policy: policy, thread_sandbox: sandbox} = options;
  const isKnown = typeof policy !== 'string' || APPROVALS.includes(policy);
  const approval = typeof policy === 'string' ? policy : JSON.stringify(policy);
  if (!isKnown) {
    const remedy = `codex.approval_policy: give ${APPROVALS.join(', ')} or {granular: …}`;
    return warn('policies', `approval policy "${approval}" is unknown`, remedy);
  }
  if (!SANDBOXES.includes(sandbox)) {
    const remedy = `codex.thread_sandbox: give ${SANDBOXES.join(', ')}`;
    return warn('policies', `sandbox "${sandbox}" is unknown`, remedy);
  }
  return ok('policies', `approval ${approval}, sandbox ${sandbox}, access ${access}`);
}

/** Codex can be asked to run a command in its sandbox without a conversation. */
export async function checkSandbox(
  {options: {thread_sandbox: sandbox}, command, shell}: AgentOf<'codex'>,
  environment: Environment,
): Promise<Check> {
  if (sandbox === 'danger-full-access') return skip('sandbox', 'disabled by the workflow');
  const program = /^\s*(\S*codex)\s+app-server\s*$/.exec(command)?.[1];
  if (program === undefined)
    return skip('sandbox', 'it can only be tested with plain `codex app-server`');
  const trial = `exec ${program} sandbox -c 'sandbox_mode="${sandbox}"' -- true`;
  const {ok: works, said} = await tryCommand(
    'bash',
    [shell === 'login' ? '-lc' : '-c', trial],
    SANDBOX_LIMIT_MS,
    environment ?? process.env,
  );
  if (works) return ok('sandbox', `${sandbox} works here`);
  const remedy =
    'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or the AppArmor ' +
    'switch of your system), or run in a separate container with codex.thread_sandbox: danger-full-access';
  return fail('sandbox', said.split('\n').at(-1) ?? '', remedy);
}
