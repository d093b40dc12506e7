import {randomUUID} from 'node:crypto';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {makeProbeJob, type ProbeResult, type Workflow} from '@symphony-supervisor/protocol';
import {RunnerProcess} from '../../shell/host/local/runner-process.ts';
import {bundle} from '../places.ts';

/**
 * Checks that the agent of this workflow exists, answers and is logged in, and reads its version.
 * It starts with the given environment; null: ours.
 */
export async function probeAgent(
  workflow: Workflow,
  environment: Readonly<Record<string, string>> | null,
): Promise<ProbeResult> {
  const runId = `probe-${randomUUID()}`;
  const transcriptPath = join(tmpdir(), `symphony-${runId}.jsonl`);
  const job = makeProbeJob(workflow, {runId, transcriptPath});
  try {
    await using runner = new RunnerProcess(
      job,
      {
        path: bundle('runner.cjs'),
        environment: process.env,
        jobEnvironment: async () => environment,
      },
      {
        onReport: () => {},
        onCall: async ({id}) => ({answer: 'refused', id, message: 'a probe makes no host calls'}),
        onExit: () => {},
      },
    );
    const {conclusion, failure} = await runner.exited;
    if (conclusion?.type === 'probed') return conclusion.result;
    return {version: null, logged_in: null, failure};
  } finally {
    await rm(transcriptPath, {force: true});
  }
}
