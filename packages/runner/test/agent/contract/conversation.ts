import {randomUUID} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import type {
  AgentBasics,
  AgentProgress,
  FromRunner,
  RunFailure,
  ThreadRecord,
  ToolResult,
  ToolSpec,
} from '@symphony-supervisor/protocol';
import {anIssue} from '../../../../../test/rig/fixtures/issue.ts';
import type {Agent, AgentSession, ProbeAnswer} from '../../../src/agent/agent.ts';
import {ProgressKeeper} from '../../../src/agent/progress.ts';
import {meteredTurn} from '../../../src/conversation/metered-turn.ts';
import {RunnerLink} from '../../../src/host/link.ts';
import {type Place, type Surroundings, surroundingsOf} from './surroundings.ts';

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
  /** How many reports on the agent left for the supervisor. */
  readonly reports: () => number;
  /** Ids of turns, in the order in which they began. */
  readonly started: readonly string[];
  /** Settles when the first turn has begun. */
  readonly hasStarted: Promise<void>;
  readonly processes: readonly number[];
  readonly notes: readonly string[];
  readonly calls: readonly (readonly [string, unknown])[];
  readonly surroundings: Surroundings;
  turn(text: string): Promise<RunFailure | null>;
  /** By which a later process can go on with the conversation. */
  record(): ThreadRecord;
  transcript(): Promise<Record<string, unknown>[]>;
  /** Pids of what still carries the mark of the run. */
  leftProcesses(): number[];
}

export interface ConversationOptions {
  /** Answers a call of `LOOK`. */
  readonly callTool?: () => Promise<ToolResult>;
}

const seen = async (): Promise<ToolResult> => ({success: true, content: 'a view', wrote: false});

export function converseWith<Job extends AgentBasics>(
  agent: Agent<Job>,
  job: Job,
  place: Place,
  {callTool = seen}: ConversationOptions = {},
): Conversation {
  const surroundings = surroundingsOf(agent, job, place, randomUUID());
  const {transcript, transcriptPath} = surroundings;
  let latest: () => AgentProgress = () => ({}) as AgentProgress;
  let reports = 0;
  const link = aLink(({to, ...message}) => {
    if (to === 'report' && 'report' in message && message.report.type === 'agent') reports++;
  });
  const watched =
    (pass: (progress: () => AgentProgress) => void) => (next: () => AgentProgress) => {
      latest = next;
      pass(next);
    };
  const progress = new ProgressKeeper(
    (text) => text,
    {
      progress: watched((next) => link.progress(next)),
      milestone: watched((next) => link.milestone(next)),
    },
    agent.isMeasured(job),
  );
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
    job: {issue: anIssue(), tools: [LOOK], secret_names: [...surroundings.secretNames]},
    gitDirs: [],
    progress,
    onProcess: (pid) => void processes.push(pid),
    onNote: (message) => void notes.push(message),
    callTool: async (tool, args) => {
      calls.push([tool, args]);
      return callTool();
    },
  });
  const onStarted = (id: string): void => {
    started.push(id);
    begin();
  };
  let isOver = false;
  return {
    ...{session, progress, told: () => latest(), reports: () => reports, started, hasStarted},
    ...{processes, notes, calls, surroundings},
    turn: (text) => meteredTurn(progress, () => session.takeTurn(text, onStarted)),
    record: () => {
      const id = session.threadId;
      const usage = progress.meter.ofThread(id);
      return {
        ...{agent: 'any', id, workspace_path: '/w', usage, prompt_digest: '', turns: 1},
        ...{role: 'worker', phase: null, tools_digest: null},
      };
    },
    async transcript() {
      transcript.close();
      const lines = (await readFile(transcriptPath, 'utf8')).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line));
    },
    leftProcesses: surroundings.leftProcesses,
    async [Symbol.asyncDispose]() {
      if (isOver) return;
      isOver = true;
      await session[Symbol.asyncDispose]();
      await surroundings.end();
      link.close();
    },
  };
}

export async function probeWith<Job extends AgentBasics>(
  agent: Agent<Job>,
  job: Job,
  place: Place,
): Promise<ProbeAnswer & {left: number[]}> {
  const {options, end, leftProcesses} = surroundingsOf(agent, job, place, randomUUID());
  try {
    const answer = await agent.probe(job, {...options, onNote: () => {}});
    return {...answer, left: leftProcesses()};
  } finally {
    await end();
  }
}

/** The runner's own end of its line to the supervisor, which joins reports. */
function aLink(onSent: (message: FromRunner) => void): RunnerLink {
  const transport = {
    send: async (message: unknown) => onSent(message as FromRunner),
    onMessage: () => {},
    onClose: () => {},
    close: () => {},
  };
  return new RunnerLink(transport, (text) => text, {
    ...{start: () => {}, stop: () => {}, gone: () => {}},
  });
}
