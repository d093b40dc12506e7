import {RunFailure} from '@symphony-supervisor/protocol';
import type {ProfileTime} from '../processes/login-shell.ts';

/** With `agent.shell: login` the profile is read before the agent starts, and the agent is not to blame for its time. */
export function nameSlowProfile(
  error: unknown,
  profile: ProfileTime | null,
  limitMs: number,
): unknown {
  const isLate = error instanceof RunFailure && error.failure.code === 'response_timeout';
  if (!isLate || profile === null) return error;
  const message =
    profile.tookMs === null
      ? `the agent was not started: the login profile had not ended after ${limitMs} ms; agent.shell: plain reads it once`
      : `${error.message}, of which the login profile took ${profile.tookMs} ms`;
  return new RunFailure('response_timeout', message, {cause: error});
}
