import {PERMISSION_MODES} from '@symphony-supervisor/protocol/claude';
import type {AgentChecks, AgentOf, Environment} from './agent-checks.ts';
import {type Check, fail, ok, skip, warn} from './check.ts';
import {tryCommand} from './command.ts';

const SANDBOX_LIMIT_MS = 20_000;
/** The same isolation of files as its sandbox uses; network is socat's part. */
const TRIAL = 'exec bwrap --ro-bind / / --dev /dev --proc /proc socat -V';

export const claudeChecks: AgentChecks<'claude'> = {
  remedies: {
    agent_not_found: 'install it (npm install -g @anthropic-ai/claude-code), or set agent.command',
    agent_incompatible: 'follow the message, install another version of it, or mend its settings',
    unauthorized:
      'log in as the user that the supervisor runs as (run `claude` once), or set ANTHROPIC_API_KEY',
  },
  protection: checkRights,
  trySandbox: checkSandbox,
};

export function checkRights({options, access}: AgentOf<'claude'>, uid = process.getuid?.()): Check {
  const {permission_mode: mode, on_permission, sandbox} = options;
  if (!PERMISSION_MODES.includes(mode)) {
    const remedy = `claude.permission_mode: give ${PERMISSION_MODES.join(', ')}`;
    return warn('policies', `permission mode "${mode}" is not one we know`, remedy);
  }
  if (mode === 'bypassPermissions' && uid === 0) {
    const remedy =
      'run the supervisor as another user, or use claude.permission_mode: acceptEdits with claude.allowed_tools';
    return fail('policies', 'Claude Code refuses bypassPermissions as root', remedy);
  }
  const rights = `permission mode ${mode}, other requests: ${on_permission}`;
  return ok('policies', `${rights}, sandbox ${sandbox}, access ${access}`);
}

/** By what it is made of: Claude Code itself tries it only within a conversation. */
export async function checkSandbox(
  {options: {sandbox}, shell}: AgentOf<'claude'>,
  environment: Environment,
): Promise<Check> {
  if (sandbox === 'off') return skip('sandbox', 'switched off by the workflow');
  const {ok: works, said} = await tryCommand(
    'bash',
    [shell === 'login' ? '-lc' : '-c', TRIAL],
    SANDBOX_LIMIT_MS,
    environment ?? process.env,
  );
  if (works) return ok('sandbox', 'shell commands run in it; file tools follow the rules');
  const reason = said.split('\n').at(-1) ?? '';
  const remedy =
    'install bubblewrap and socat and allow unprivileged user namespaces, or run in a container of its own with claude.sandbox: off';
  return sandbox === 'on'
    ? fail('sandbox', reason, remedy)
    : warn('sandbox', `not in force: ${reason}`, remedy);
}
