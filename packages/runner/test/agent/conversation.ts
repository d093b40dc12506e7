import {randomUUID} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {AgentBasics, AgentProgress, RunFailure, ToolSpec} from '@symphony-supervisor/protocol';
import {findProcesses} from '@symphony-supervisor/protocol/processes';
import {anIssue} from '../../../../test/rig/fixtures/issue.ts';
import type {Agent, AgentSession, ProbeAnswer, ProcessOptions} from '../../src/agent/agent.ts';
import {ProgressKeeper} from '../../src/agent/progress.ts';
import {StopSignal} from '../../src/job/stop-signal.ts';
import {RunProcesses} from '../../src/processes/run-processes.ts';
import {Transcript} from '../../src/transcript/transcript.ts';

/** The tool that agents under test have. */
export const LOOK: ToolSpec = {
  name: 'look',
  description: 'Looks at something.',
  input_schema: {type: 'object', properties: {at: {type: 'string'}}},
};

/** A session with an agent, and all that came of it. The test is in the place of the attempt. */
export interface Conversation extends AsyncDisposable {
  readonly session: AgentSession;
  readonly progress: ProgressKeeper;
  /** What was reported last. */
  readonly told: () => AgentProgress;
  /** Ids of turns, in the order in which they began. */
  readonly started: readonly string[];
  /** Settles when the first turn has begun. */
  readonly hasStarted: Promise<void>;
  readonly processes: readonly number[];
  readonly notes: readonly string[];
  readonly calls: readonly (readonly [string, unknown])[];
  turn(text: string): Promise<RunFailure | null>;
  transcript(): Promise<Record<string, unknown>[]>;
  /** Pids of what still carries the mark of the run. */
  leftProcesses(): number[];
}

export function converseWith<Job extends AgentBasics>(
  agent: Agent<Job>,
  job: Job,
  folder: string,
): Conversation {
  const surroundings = surroundingsIn(folder);
  const {transcript, path, leftProcesses} = surroundings;
  let latest: () => AgentProgress = () => ({}) as AgentProgress;
  const tell = (progress: () => AgentProgress) => {
    latest = progress;
  };
  const link = {progress: tell, milestone: tell};
  const progress = new ProgressKeeper((text) => text, link, agent.isMeasured(job));
  const started: string[] = [];
  const processes: number[] = [];
  const notes: string[] = [];
  const calls: [string, unknown][] = [];
  let begin = (): void => {};
  const hasStarted = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const session = agent.open(job, {
    ...surroundings.options,
    job: {issue: anIssue(), tools: [LOOK], secret_names: []},
    gitDirs: [],
    progress,
    onProcess: (pid) => void processes.push(pid),
    onNote: (message) => void notes.push(message),
    callTool: async (tool, args) => {
      calls.push([tool, args]);
      return {success: true, content: 'a view', wrote: false};
    },
  });
  let isOver = false;
  return {
    ...{session, progress, told: () => latest(), started, hasStarted, processes, notes, calls},
    turn: (text) =>
      session.takeTurn(text, (id) => {
        started.push(id);
        begin();
      }),
    async transcript() {
      transcript.close();
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line));
    },
    leftProcesses,
    async [Symbol.asyncDispose]() {
      if (isOver) return;
      isOver = true;
      await session[Symbol.asyncDispose]();
      await surroundings.end();
    },
  };
}

export async function probeWith<Job extends AgentBasics>(
  agent: Agent<Job>,
  job: Job,
  folder: string,
): Promise<ProbeAnswer & {left: number[]}> {
  const {options, end, leftProcesses} = surroundingsIn(folder);
  try {
    const answer = await agent.probe(job, {...options, onNote: () => {}});
    return {...answer, left: leftProcesses()};
  } finally {
    await end();
  }
}

function surroundingsIn(folder: string) {
  const runId = randomUUID();
  const path = join(folder, `${runId}.jsonl`);
  const transcript = new Transcript(path, {
    ...{maxBytes: 10_000_000, mask: (text: string) => text, onTrouble: () => {}},
  });
  const processes = new RunProcesses(runId, [], 'plain');
  const env = {PATH: process.env.PATH ?? '', HOME: folder, SYMPHONY_RUN_ID: runId};
  const options: ProcessOptions = {
    ...{cwd: folder, env, processes, transcript, stop: new StopSignal()},
  };
  return {
    options,
    transcript,
    path,
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
