import type {AgentJobOf, Issue} from '@symphony-supervisor/protocol';
import type {SessionOptions} from '../agent.ts';
import {RefusedRequest} from '../wire/peer.ts';
import {requestFailure} from './failures.ts';
import {assertPolicies} from './policies.ts';
import {ThreadResult} from './wire/messages.ts';

type CodexJob = AgentJobOf<'codex'>;
type Options = Pick<SessionOptions, 'job' | 'cwd'>;
type Request = (method: string, params: object) => Promise<unknown>;

/** Begins a conversation and returns its id. */
export async function startThread(
  request: Request,
  codex: CodexJob,
  options: Options,
): Promise<string> {
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
    return result.thread.id;
  } catch (error) {
    throw requestFailure(error);
  }
}

/** Goes on with a conversation; its tools come back with it. null, or why the agent refused. */
export async function resumeThread(
  request: Request,
  codex: CodexJob,
  options: Options,
  threadId: string,
): Promise<string | null> {
  const params = {threadId, excludeTurns: true, ...threadParams(codex, options)};
  try {
    assertPolicies(codex, ThreadResult.parse(await request('thread/resume', params)));
    return null;
  } catch (error) {
    if (error instanceof RefusedRequest) return error.message;
    throw requestFailure(error);
  }
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
