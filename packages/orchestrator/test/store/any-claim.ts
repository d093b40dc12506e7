import {
  FailureCode,
  type Issue,
  RunOutcome,
  RunPhase,
  StopReason,
} from '@symphony-supervisor/protocol';
import fc, {type Arbitrary} from 'fast-check';
import type {Claim, Next, Run} from '../../src/core/claim.ts';

const text = fc.string({unit: 'binary'});
const name = fc.string({minLength: 1, unit: 'binary'});
const maybeText = fc.option(text);
const count = fc.nat();
const instant = fc.nat({max: 4_102_444_800_000});
const maybeInstant = fc.option(instant);

const usage = fc.record({
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  reasoning_output_tokens: count,
  total_tokens: count,
});
const thread = fc.record({
  agent: text,
  id: text,
  workspace_path: text,
  usage,
  prompt_digest: text,
  turns: count,
  role: text,
  phase: maybeText,
  tools_digest: maybeText,
});
const failure = fc.record(
  {code: fc.constantFrom(...FailureCode.options), message: text, resets_at: text},
  {requiredKeys: ['code', 'message']},
);
const holdReason = fc.record({
  code: fc.constantFrom(...FailureCode.options, 'stopped_by_operator' as const),
  message: text,
});
/** As a tracker's JSON can be once it was parsed; schemas drop the key that could change a prototype. */
const json = fc
  .jsonValue()
  .map((value): Issue['native_ref'] => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

const issue = fc.record({
  id: name,
  identifier: name,
  title: name,
  description: maybeText,
  priority: fc.option(count),
  state: name,
  branch_name: maybeText,
  url: maybeText,
  assignee_id: maybeText,
  labels: fc.array(text),
  blocked_by: fc.array(fc.record({id: maybeText, identifier: maybeText, state: maybeText})),
  dispatchable: fc.boolean(),
  native_ref: fc.option(json),
  created_at: maybeText,
  updated_at: maybeText,
});

const run: Arbitrary<Run> = fc.record({
  id: name,
  host: name,
  role: name,
  attempt: fc.option(count),
  retry: fc.option(fc.constantFrom('continuation', 'failure')),
  lastError: maybeText,
  counts: fc.boolean(),
  startedAt: instant,
  phase: fc.constantFrom(...RunPhase.options),
  step: fc.constantFrom('reading', 'marking', 'forking', 'live', 'over'),
  process: fc.option(fc.record({pid: count, startedAt: text})),
  agentPid: fc.option(count),
  sessionId: maybeText,
  turn: count,
  agent: text,
  model: maybeText,
  isMeasured: fc.boolean(),
  isPartial: fc.boolean(),
  usage,
  lastHeardAt: maybeInstant,
  signsOfLife: count,
  heartbeatAt: instant,
  lastEvent: maybeText,
  lastMessage: maybeText,
  lastEventAt: maybeInstant,
  callsUnderWay: fc.nat(),
  movedTo: maybeText,
  conflicts: count,
  result: fc.option(
    fc.record({
      outcome: fc.constantFrom(...RunOutcome.options),
      failure: fc.option(failure),
      question: maybeText,
      turns: count,
      is_measured: fc.boolean(),
      usage,
      models: fc.array(fc.record({model: maybeText, usage})),
      thread: fc.option(thread),
      evidence: fc.option(
        fc.record({
          workspace_changed: fc.boolean(),
          issue_changed: fc.boolean(),
          tools_wrote: fc.boolean(),
        }),
      ),
      made: fc.option(
        fc.record({
          branch: maybeText,
          head: maybeText,
          commits: count,
          files: count,
          lines_added: count,
          lines_removed: count,
        }),
      ),
      links: fc.array(fc.record({name: text, url: text})),
    }),
  ),
});

const next: Arbitrary<Next> = fc.oneof(
  fc.record({do: fc.constantFrom('clean', 'continue', 'dismiss', 'resume')}),
  fc.record({do: fc.constant('release' as const), by: fc.constantFrom('tracker', 'operator')}),
  fc.record({do: fc.constantFrom('retry', 'wait', 'deliver'), failure}),
  fc.record({do: fc.constant('hold' as const), because: holdReason, question: maybeText}),
);

const common = {
  scope: count,
  project: text,
  issue,
  authorRole: name,
  failures: count,
  threadFailures: count,
  thread: fc.option(thread),
  workspace: fc.option(fc.record({host: name, path: text})),
  readAt: instant,
  messages: fc.array(fc.record({id: name, text, at: instant})),
  undelivered: fc.option(run),
};

const kinds: {readonly [Is in Claim['is']]: Arbitrary<Extract<Claim, {is: Is}>>} = {
  running: fc.record({is: fc.constant('running'), ...common, run}),
  stopping: fc.oneof(
    fc.record({
      is: fc.constant('stopping' as const),
      ...common,
      run,
      outcome: fc.option(fc.constantFrom(...RunOutcome.options)),
      reason: fc.option(fc.constantFrom(...StopReason.options)),
      next,
      step: fc.constantFrom(
        'runner',
        'marking',
        'reading',
        'handing-off',
        'finishing',
        'delivering',
      ),
    }),
    fc.record({
      is: fc.constant('stopping' as const),
      ...common,
      run: fc.constant(null),
      outcome: fc.constant(null),
      reason: fc.constant(null),
      next,
      step: fc.constantFrom('confirming', 'cleaning'),
    }),
  ),
  retrying: fc.record({
    is: fc.constant('retrying'),
    ...common,
    kind: fc.constantFrom('continuation', 'failure', 'resume'),
    attempt: fc.option(count),
    dueAt: instant,
    lastError: maybeText,
    waitsFor: maybeText,
    counts: fc.boolean(),
  }),
  held: fc.record({
    is: fc.constant('held'),
    ...common,
    because: holdReason,
    question: maybeText,
    since: instant,
    stateThen: text,
  }),
  dismissed: fc.record({
    is: fc.constant('dismissed'),
    ...common,
    since: instant,
    isRead: fc.boolean(),
  }),
};

/** Every claim there can be, by kind: a new kind does not compile until it is made here. */
export const anyClaim = kinds;
