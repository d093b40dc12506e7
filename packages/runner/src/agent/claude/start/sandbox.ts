import {execFile} from 'node:child_process';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {Environment} from '../../../job/environment.ts';

/** It answers in milliseconds; one that hangs is none. */
const TRIAL_LIMIT_MS = 5000;
/** Where containers forbid user namespaces both programs are there, and every command would fail. */
const TRIAL = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'socat', '-V'];

/** Whether Claude Code's sandbox is to be used: it is made of bubblewrap and socat. */
export async function isSandboxed(
  {sandbox}: Pick<AgentJobOf<'claude'>, 'sandbox'>,
  env: Environment,
): Promise<boolean> {
  if (sandbox !== 'auto') return sandbox === 'on';
  return new Promise((resolve) => {
    const limits = {env: {...env}, timeout: TRIAL_LIMIT_MS, killSignal: 'SIGKILL'} as const;
    execFile('bwrap', TRIAL, limits, (error) => resolve(error === null));
  });
}
