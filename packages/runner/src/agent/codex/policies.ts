import {isDeepStrictEqual} from 'node:util';
import {type AgentJobOf, RunFailure} from '@symphony-supervisor/protocol';
import type * as z from 'zod/mini';
import type {ThreadResult} from './wire/messages.ts';

type CodexJob = AgentJobOf<'codex'>;
type Policy = Record<string, unknown>;

/**
 * What an agent may write in a turn. Without it, Codex keeps `.git` read-only even inside a writable
 * workspace, so no agent could commit, and opens all of `/tmp`. null: nothing is sent, and the
 * thread's own sandbox holds.
 */
export function turnSandboxPolicy(codex: CodexJob, allGitDirs: readonly string[]): Policy | null {
  // Documents only: without its git folder nothing can be committed.
  const gitDirs = codex.access === 'write' ? allGitDirs : [];
  const own = codex.turn_sandbox_policy;
  if (own === null) {
    if (codex.thread_sandbox !== 'workspace-write') return null;
    return {
      type: 'workspaceWrite',
      writableRoots: gitDirs,
      networkAccess: false,
      // TMPDIR is the run's own folder; /tmp is everybody's.
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: true,
    };
  }
  if (own.type !== 'workspaceWrite') return own;
  const roots = Array.isArray(own.writableRoots) ? (own.writableRoots as unknown[]) : [];
  return {...own, writableRoots: [...new Set([...roots, ...gitDirs])]};
}

const SANDBOX_TYPES: Readonly<Record<string, string>> = {
  'read-only': 'readOnly',
  'workspace-write': 'workspaceWrite',
  'danger-full-access': 'dangerFullAccess',
};

/**
 * Codex ignores parameters that it does not know and then falls back to other rules. What it says it
 * understood is therefore compared with what it was asked for.
 */
export function assertPolicies(codex: CodexJob, echo: z.infer<typeof ThreadResult>): void {
  const {approvalPolicy, sandbox} = echo;
  if (approvalPolicy !== undefined && !agrees(codex.approval_policy, approvalPolicy)) {
    throw disagreement('approval_policy', codex.approval_policy, approvalPolicy);
  }
  const asked = SANDBOX_TYPES[codex.thread_sandbox] ?? codex.thread_sandbox;
  // Where each turn carries a policy of its own, that one holds, whatever the thread says.
  if (turnSandboxPolicy(codex, []) !== null) return;
  if (sandbox !== undefined && sandbox.type !== asked) {
    throw disagreement('thread_sandbox', codex.thread_sandbox, sandbox.type);
  }
}

/** An object may come back with further fields filled in. */
function agrees(asked: unknown, echo: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return isDeepStrictEqual(asked, echo);
  if (typeof echo !== 'object' || echo === null) return false;
  return Object.entries(asked).every(([key, value]) => agrees(value, (echo as Policy)[key]));
}

function disagreement(key: string, asked: unknown, got: unknown): RunFailure {
  return new RunFailure(
    'agent_incompatible',
    `codex.${key} is ${JSON.stringify(asked)}, but the agent applies ${JSON.stringify(got)}. ` +
      'Use a value that this version of the agent knows',
  );
}
