import {type FailureCode, RunFailure} from '@symphony-supervisor/protocol';
import {type Loose, list, text} from '@symphony-supervisor/protocol/transcript';

/** What to do, by Claude Code's own name for a start that failed. */
const REMEDIES: Readonly<Record<string, string>> = {
  bypass_root:
    'it refuses bypassPermissions as root: run the supervisor as another user, or use claude.permission_mode: acceptEdits and name further tools in claude.allowed_tools',
  sandbox_required_unavailable:
    'claude.sandbox is "on": install bubblewrap and socat on this machine, or set claude.sandbox to auto or off',
  cli_version_too_old: 'install a newer version of Claude Code',
  config_file_invalid: 'mend its configuration file',
  proxy_invalid: 'mend the proxy settings in the environment of the supervisor',
};
const CODES: Readonly<Record<string, FailureCode>> = {
  ...{org_pin_api_key_conflict: 'unauthorized', provider_not_allowed: 'unauthorized'},
  ...{org_verify_failed: 'unauthorized', org_pin_mismatch: 'unauthorized'},
  ...{gateway_signin_required: 'unauthorized', gateway_access_denied: 'unauthorized'},
  ...{temp_dir_unusable: 'workspace_error', cwd_unavailable: 'workspace_error'},
};

/** Without a known reason it may be the conversation's fault, and a new one could begin. */
export function refusalOf(failed: Loose): RunFailure {
  const reason = text(failed.startup_failure_reason);
  const said = list(failed.errors).map(text).join('; ');
  if (reason === '') return new RunFailure('port_exit', `the agent process ended: ${said}`);
  const remedy = REMEDIES[reason];
  const message = `the agent refuses to start (${reason}): ${said}`;
  const code = CODES[reason] ?? 'agent_incompatible';
  return new RunFailure(code, remedy === undefined ? message : `${message}; ${remedy}`);
}
