import type {AttemptJob} from '@symphony-supervisor/protocol';
import {describeLoginFailure, readLoginEnvironment} from '@symphony-supervisor/protocol/processes';
import type {Environment} from '../job/environment.ts';

/** For the hooks and the agent of a run without a supervisor: that of a login shell, if it can be read. */
export async function environmentFor(
  {shell, secret_names: secretNames}: AttemptJob,
  own: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Environment> {
  if (shell === 'plain') {
    const reading = await readLoginEnvironment({environment: own, secretNames, signal});
    if (reading.ok) return reading.variables;
    if (!signal.aborted) console.error(`warning: ${describeLoginFailure(reading)}`);
  }
  const visible = Object.entries(own).filter(([name]) => !secretNames.includes(name));
  return Object.fromEntries(visible.map(([name, value]) => [name, value ?? '']));
}
