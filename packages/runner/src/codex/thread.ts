import type {AttemptJob, Issue} from '@symphony-supervisor/protocol';
import {requestFailure} from './failures.ts';
import {ThreadResult} from './messages.ts';
import {RefusedRequest} from './peer.ts';
import {assertPolicies} from './policies.ts';

type Request = (method: string, params: object) => Promise<unknown>;

/** Begins a conversation and returns its id. */
export async function startThread(request: Request, job: AttemptJob, cwd: string): Promise<string> {
  const dynamicTools = job.tools.map(({name, description, input_schema}) => ({
    type: 'function',
    name,
    description,
    inputSchema: input_schema,
  }));
  const tools = dynamicTools.length > 0 ? {dynamicTools} : {};
  try {
    const result = ThreadResult.parse(
      await request('thread/start', {...threadParams(job, cwd), ...tools}),
    );
    assertPolicies(job.codex, result);
    return result.thread.id;
  } catch (error) {
    throw requestFailure(error);
  }
}

/** Goes on with a conversation; its tools come back with it. null, or why the agent refused. */
export async function resumeThread(
  request: Request,
  job: AttemptJob,
  cwd: string,
  threadId: string,
): Promise<string | null> {
  const params = {threadId, excludeTurns: true, ...threadParams(job, cwd)};
  try {
    assertPolicies(job.codex, ThreadResult.parse(await request('thread/resume', params)));
    return null;
  } catch (error) {
    if (error instanceof RefusedRequest) return error.message;
    throw requestFailure(error);
  }
}

/** Sent with a resume too: Codex does not remember every policy that a thread had. */
function threadParams({codex, secret_names}: AttemptJob, cwd: string): object {
  return {
    cwd,
    approvalPolicy: codex.approval_policy,
    sandbox: codex.thread_sandbox,
    model: codex.model ?? undefined,
    // A login shell would read the profile again, and with it a secret that we took away.
    config: secret_names.length > 0 ? {allow_login_shell: false} : undefined,
  };
}

export function threadName(issue: Issue): string {
  return `${issue.identifier}: ${issue.title}`;
}
