import type {AgentJobOf, Issue} from '@symphony-supervisor/protocol';
import type * as z from 'zod/mini';
import type {SessionOptions} from '../agent.ts';
import {RefusedRequest} from '../wire/peer.ts';
import {requestFailure} from './failures.ts';
import {assertPolicies} from './policies.ts';
import {ThreadResult} from './wire/messages.ts';

type CodexJob = AgentJobOf<'codex'>;
type Options = Pick<SessionOptions, 'job' | 'cwd'>;
type Request = (method: string, params: object) => Promise<unknown>;

/** A conversation that is open. */
export interface Thread {
  readonly id: string;
  /** null: Codex did not say. */
  readonly model: string | null;
}

/** Begins a conversation. */
export async function startThread(
  request: Request,
  codex: CodexJob,
  options: Options,
): Promise<Thread> {
  const dynamicTools = options.job.tools.map(({name, description, input_schema}) => ({
    type: 'function',
    name,
    description,
    inputSchema: input_schema,
  }));
  const tools = dynamicTools.length > 0 ? {dynamicTools} : {};
  try {
    const result = ThreadResult.parse(
      await request('thread/start', {...threadParams(codex, options), ...tools}),
    );
    assertPolicies(codex, result);
    return threadOf(result);
  } catch (error) {
    throw requestFailure(error);
  }
}

/** Resumes a conversation; its tools come back with it. Returns why, if the agent refused. */
export async function resumeThread(
  request: Request,
  codex: CodexJob,
  options: Options,
  threadId: string,
): Promise<Thread | {refusal: string}> {
  const params = {threadId, excludeTurns: true, ...threadParams(codex, options)};
  try {
    const result = ThreadResult.parse(await request('thread/resume', params));
    assertPolicies(codex, result);
    return threadOf(result);
  } catch (error) {
    if (error instanceof RefusedRequest) return {refusal: error.message};
    throw requestFailure(error);
  }
}

function threadOf({thread, model}: z.infer<typeof ThreadResult>): Thread {
  return {id: thread.id, model: model ?? null};
}

/** Sent with a resume too: Codex does not remember every policy that a thread had. */
function threadParams(codex: CodexJob, {job, cwd}: Options): object {
  return {
    cwd,
    approvalPolicy: codex.approval_policy,
    sandbox: codex.thread_sandbox,
    model: codex.model ?? undefined,
    // A login shell would read the profile again, and with it a secret that we took away.
    config: job.secret_names.length > 0 ? {allow_login_shell: false} : undefined,
  };
}

export function threadName(issue: Issue): string {
  return `${issue.identifier}: ${issue.title}`;
}
