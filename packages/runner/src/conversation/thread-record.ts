import {createHash} from 'node:crypto';
import {type AttemptJob, SUBMIT_WORK, type ThreadRecord} from '@symphony-supervisor/protocol';
import {promptDigest} from '@symphony-supervisor/protocol/prompt';
import type {RunnerLink} from '../host/link.ts';
import type {Transcript} from '../transcript/transcript.ts';
import type {ConversationContext} from './conversation.ts';

/** The conversation of an earlier run, if this run can resume it. */
export function resumable(
  job: AttemptJob,
  workspacePath: string,
  transcript: Pick<Transcript, 'line'>,
): ThreadRecord | null {
  const {thread} = job;
  // Without a turn it holds nothing.
  if (thread === null || thread.turns === 0) return null;
  const why = mismatch(thread, job, workspacePath);
  if (why === null) return thread;
  const text = `the earlier conversation is not resumed: it had ${why}`;
  transcript.line({ev: 'notice', level: 'info', text});
  return null;
}

/** A conversation belongs to its agent, role, phase and tools, and knows its workspace by its path. */
function mismatch(thread: ThreadRecord, job: AttemptJob, workspacePath: string): string | null {
  if (thread.agent !== job.agent.kind) return `another agent, ${thread.agent}`;
  if (thread.workspace_path !== workspacePath) return 'another workspace';
  if (thread.role !== job.role) return `another role, ${thread.role}`;
  if (thread.phase !== job.phase) return `another phase, ${thread.phase ?? 'none'}`;
  const isOfTools = thread.tools_digest === null || thread.tools_digest === toolsDigest(job);
  return isOfTools ? null : 'other tools';
}

/**
 * An agent that takes no tools when it resumes would go on with the ones that it knows. The wording of
 * a description changes nothing for it. `submit_work` is good to have, and no reason to begin anew.
 */
function toolsDigest({tools}: AttemptJob): string {
  const known = tools
    .filter(({name}) => name !== SUBMIT_WORK.name)
    .map(({name, input_schema}) => [name, input_schema] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(known)).digest('hex');
}

/** Keeps the record by which a later run can go on with this conversation. */
export class ThreadKeeper {
  readonly #link: Pick<RunnerLink, 'report'>;
  readonly #context: ConversationContext;
  readonly #fixed: Omit<ThreadRecord, 'usage' | 'turns'>;
  #turns: number;

  constructor(
    job: AttemptJob,
    link: Pick<RunnerLink, 'report'>,
    context: ConversationContext,
    id: string,
    resumed: ThreadRecord | null,
  ) {
    this.#link = link;
    this.#context = context;
    this.#fixed = {
      agent: job.agent.kind,
      id,
      workspace_path: context.layout.path,
      prompt_digest: promptDigest(job.prompt, job.issue),
      role: job.role,
      phase: job.phase,
      // A resumed conversation keeps the tools that it was begun with.
      tools_digest: resumed === null ? toolsDigest(job) : resumed.tools_digest,
    };
    this.#turns = resumed?.turns ?? 0;
  }

  turnStarted(): void {
    this.#turns++;
    this.report(true);
  }

  report(resumed: boolean): void {
    this.#context.ledger.thread = this.#record;
    this.#link.report({type: 'thread', thread: this.#record(), resumed});
  }

  readonly #record = (): ThreadRecord => ({
    ...this.#fixed,
    usage: this.#context.progress.meter.ofThread(this.#fixed.id),
    turns: this.#turns,
  });
}
