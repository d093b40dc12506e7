import type {AgentAccess} from '../agent-job.ts';
import type {AgentProfile} from '../profile.ts';
import {resolveApprovalPolicy} from './approval-policy.ts';
import type {CodexOptions} from './options.ts';
import {resolveSandbox} from './sandbox.ts';
import {checkCodexWords} from './words.ts';

export const codexProfile: AgentProfile = {
  name: 'Codex',
  defaults: {command: 'codex app-server'},
  example: `# codex:
#   approval_policy: never       # Codex's own words, here and below
#   thread_sandbox: workspace-write`,
  resolve({codex: given}, access: AgentAccess, findings): CodexOptions {
    checkCodexWords(given, findings);
    return {
      kind: 'codex',
      // Parsed from YAML, so it is JSON.
      approval_policy: resolveApprovalPolicy(
        given.approval_policy,
        findings,
      ) as CodexOptions['approval_policy'],
      ...resolveSandbox(given, access, findings),
    };
  },
};
