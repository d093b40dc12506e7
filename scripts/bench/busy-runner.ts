import {type AgentProgress, NO_USAGE, type RunJob} from '@symphony-supervisor/protocol';
import type {Outside} from 'symphony-supervisor/outside';

type Runner = ReturnType<Outside['startRunner']>;
type Events = Parameters<Outside['startRunner']>[1];
type Exit = Awaited<Runner['exited']>;

/** As often as a runner with a busy agent ever reports. */
const REPORT_MS = 100;
const MESSAGE = 'Reading the tests to see what the function is expected to return. '.repeat(3);

/** In the place of a runner process: it never ends by itself, and says something ten times a second. */
export function busyRunner(job: RunJob, events: Events): Runner {
  if (job.kind === 'probe') return probed(events);
  let messages = 0;
  const timer = setInterval(() => {
    messages++;
    const usage = {...NO_USAGE, input_tokens: messages * 100, total_tokens: messages * 100};
    const progress: AgentProgress = {
      event: 'notification',
      ...{message: `${messages}: ${MESSAGE}`, messages, usage},
      ...{signs_of_life: messages, thread_usage: usage, rate_limits: null},
    };
    events.onReport({type: 'agent', progress});
    if (messages % 50 === 0) events.onReport({type: 'heartbeat'});
  }, REPORT_MS);
  queueMicrotask(() => {
    events.onReport({type: 'phase', phase: 'streaming_turn'});
    events.onReport({type: 'turn_started', turn: 1, session_id: `thread-${job.run_id}`});
  });
  let end: (exit: Exit) => void = () => {};
  const exited = new Promise<Exit>((resolve) => {
    end = resolve;
  });
  const stop = () => {
    clearInterval(timer);
    const exit: Exit = {conclusion: null, result: null, how: 'exit code 0', failure: null};
    queueMicrotask(() => {
      events.onExit(exit);
      end(exit);
    });
  };
  return {
    ...{identity: null, exited, stop},
    kill: async () => stop(),
    [Symbol.asyncDispose]: async () => clearInterval(timer),
  } as unknown as Runner;
}

function probed(events: Events): Runner {
  const result = {version: '1', logged_in: true, failure: null};
  const conclusion = {type: 'probed', result} as const;
  const exit: Exit = {conclusion, result: null, how: 'exit code 0', failure: null};
  queueMicrotask(() => events.onExit(exit));
  return {
    ...{identity: null, exited: Promise.resolve(exit), stop: () => {}, kill: async () => {}},
    [Symbol.asyncDispose]: async () => {},
  } as unknown as Runner;
}
