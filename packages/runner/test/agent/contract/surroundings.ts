import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {AgentBasics, AgentJob} from '@symphony-supervisor/protocol';
import {findProcesses} from '@symphony-supervisor/protocol/processes';
import {anIssue} from '../../../../../test/rig/fixtures/issue.ts';
import type {Agent, ProcessOptions} from '../../../src/agent/agent.ts';
import {
  agentEnvironment,
  type Environment,
  symphonyVariables,
} from '../../../src/job/environment.ts';
import {StopSignal} from '../../../src/job/stop-signal.ts';
import {RunProcesses} from '../../../src/processes/run-processes.ts';
import {Transcript} from '../../../src/transcript/transcript.ts';

/** Where a case is played. */
export interface Place {
  /** Holds all the rest; transcripts lie directly in it. */
  readonly folder: string;
  /** The person's home, and the agent's. */
  readonly home: string;
  readonly workspace: string;
  /** Variables of the runner's own environment, beside the usual ones. */
  readonly env: Environment;
}

/** What the runner gives to a process of the agent. */
export interface Surroundings {
  readonly options: ProcessOptions;
  readonly transcript: Transcript;
  readonly transcriptPath: string;
  readonly secretNames: readonly string[];
  leftProcesses(): number[];
  end(): Promise<void>;
}

export const TRANSCRIPT_MAX_BYTES = 10_000_000;

/** Nothing that a mask would recognize: what leaks must show. */
export const SECRET = 'correct horse battery staple';

export function placeIn(folder: string): Place {
  const home = join(folder, 'home');
  const workspace = join(folder, 'workspace');
  for (const path of [home, workspace]) mkdirSync(path, {recursive: true});
  return {folder, home, workspace, env: {}};
}

/** The tracker's secret is in the runner's environment in every case, under its own name and under one like the agent's. */
export function surroundingsOf<Job extends AgentBasics>(
  agent: Agent<Job>,
  job: Job,
  {folder, home, workspace, env}: Place,
  runId: string,
): Surroundings {
  const secretNames = [
    'LINEAR_API_KEY',
    ...agent.environmentPrefixes.map((prefix) => `${prefix}TRACKER_SECRET`),
  ];
  const base: Environment = {
    ...{PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8'},
    ...env,
    ...Object.fromEntries(secretNames.map((name) => [name, SECRET])),
  };
  const transcriptPath = join(folder, `${runId}.jsonl`);
  const transcript = new Transcript(transcriptPath, {
    ...{maxBytes: TRANSCRIPT_MAX_BYTES, mask: (text: string) => text, onTrouble: () => {}},
  });
  const processes = new RunProcesses(runId, secretNames, 'plain');
  const options: ProcessOptions = {
    cwd: workspace,
    env: agentEnvironment(
      base,
      // Of the agent only its command is looked at, which every kind has.
      {secret_names: secretNames, agent_env: [], agent: job as unknown as AgentJob},
      symphonyVariables(runId, anIssue(), workspace, null),
      folder,
      agent.environmentPrefixes,
    ),
    ...{processes, transcript, stop: new StopSignal()},
  };
  return {
    ...{options, transcript, transcriptPath, secretNames},
    leftProcesses: () => {
      const query = {roots: [], markers: [`SYMPHONY_RUN_ID=${runId}`], except: []};
      return findProcesses(query).map(({pid}) => pid);
    },
    end: async () => {
      await processes.endAll(500);
      transcript.close();
    },
  };
}
