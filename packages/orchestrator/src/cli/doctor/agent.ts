import type {Workflow} from '@symphony-supervisor/protocol';
import {CODEX_WORDS} from '@symphony-supervisor/protocol/workflow';
import {probeAgent} from '../setup/agent-probe.ts';
import {type Check, fail, ok, skip, warn} from './check.ts';
import {tryCommand} from './command.ts';

const SANDBOX_LIMIT_MS = 20_000;

const REMEDIES: Readonly<Record<string, string>> = {
  codex_not_found: 'install it (npm install -g @openai/codex), or set codex.command',
  codex_incompatible: 'install another version of it, or mend its configuration',
  unauthorized: 'log in as the user that the supervisor runs as: codex login',
  response_timeout:
    'try codex.command by hand; a slow machine needs a larger codex.read_timeout_ms',
};

/** What the agent starts with; null: our own, by a login shell if the workflow says so. */
type Environment = Readonly<Record<string, string>> | null;

export async function checkAgent(workflow: Workflow, environment: Environment): Promise<Check[]> {
  const {version, logged_in: isLoggedIn, failure} = await probeAgent(workflow, environment);
  const {command} = workflow.settings.codex;
  if (failure !== null && failure.code !== 'unauthorized') {
    const remedy = REMEDIES[failure.code] ?? 'try codex.command by hand';
    return [fail('agent', `${command}: ${failure.code}: ${failure.message}`, remedy)];
  }
  const login =
    isLoggedIn === null
      ? skip('login', 'the agent does not say')
      : isLoggedIn
        ? ok('login', 'logged in')
        : fail('login', 'not logged in', REMEDIES.unauthorized ?? '');
  return [ok('agent', `${command}, version ${version ?? 'unknown'}`), login];
}

const APPROVALS: readonly string[] = CODEX_WORDS.approval_policy;
const SANDBOXES: readonly string[] = CODEX_WORDS.thread_sandbox;

/** Without a conversation, which would leave traces in the agent's own home: by the words it knows. */
export function checkPolicies({settings: {codex}}: Workflow): Check {
  const {approvalPolicy, threadSandbox} = codex;
  const isKnown = typeof approvalPolicy !== 'string' || APPROVALS.includes(approvalPolicy);
  const approval =
    typeof approvalPolicy === 'string' ? approvalPolicy : JSON.stringify(approvalPolicy);
  if (!isKnown) {
    const remedy = `codex.approval_policy: give ${APPROVALS.join(', ')} or {granular: …}`;
    return warn('policies', `approval policy "${approval}" is not one we know`, remedy);
  }
  if (!SANDBOXES.includes(threadSandbox)) {
    const remedy = `codex.thread_sandbox: give ${SANDBOXES.join(', ')}`;
    return warn('policies', `sandbox "${threadSandbox}" is not one we know`, remedy);
  }
  return ok('policies', `approval ${approval}, sandbox ${threadSandbox}`);
}

/** Codex can be asked to run a command in its sandbox without a conversation; other agents cannot. */
export async function checkSandbox(
  {settings: {codex, agent}}: Workflow,
  environment: Environment,
): Promise<Check> {
  if (codex.threadSandbox === 'danger-full-access')
    return skip('sandbox', 'switched off by the workflow');
  const program = /^\s*(\S*codex)\s+app-server\s*$/.exec(codex.command)?.[1];
  if (program === undefined)
    return skip('sandbox', 'it can be tried with plain `codex app-server` only');
  const trial = `exec ${program} sandbox -c 'sandbox_mode="${codex.threadSandbox}"' -- true`;
  const {ok: works, said} = await tryCommand(
    'bash',
    [agent.shell === 'login' ? '-lc' : '-c', trial],
    SANDBOX_LIMIT_MS,
    environment ?? process.env,
  );
  if (works) return ok('sandbox', `${codex.threadSandbox} works here`);
  const remedy =
    'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or the AppArmor ' +
    'switch of your system), or run in a container of its own with codex.thread_sandbox: danger-full-access';
  return fail('sandbox', said.split('\n').at(-1) ?? '', remedy);
}
