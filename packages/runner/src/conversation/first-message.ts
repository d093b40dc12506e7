import {
  type AttemptJob,
  type Issue,
  SUBMIT_WORK,
  type ThreadRecord,
} from '@symphony-supervisor/protocol';
import {
  continuationGuidance,
  promptDigest,
  promptVariables,
  renderPrompt,
  resumeGuidance,
  withSubmitHint,
} from '@symphony-supervisor/protocol/prompt';

/**
 * The first message to the agent. A resumed conversation knows its task, unless template, title or
 * description have changed since; a new one gets the whole prompt.
 */
export async function firstMessage(
  job: AttemptJob,
  workspacePath: string,
  resumed: ThreadRecord | null,
): Promise<string> {
  const knowsItsTask = resumed?.prompt_digest === promptDigest(job.prompt, job.issue);
  if (knowsItsTask) {
    return resumeGuidance({
      attempt: job.attempt,
      retry: job.retry,
      lastError: job.last_error,
      turn: 1,
      maxTurns: job.max_turns,
      interrupted: job.retry === null,
    });
  }
  const prompt = await renderPrompt(job.prompt, promptVariables(job, {turn: 1, workspacePath}));
  return maySubmit(job) ? withSubmitHint(prompt) : prompt;
}

/** Whether the agent can report that its work is done. */
export function maySubmit({tools}: AttemptJob): boolean {
  return tools.some(({name}) => name === SUBMIT_WORK.name);
}

/** The message of a later turn of the same run. */
export function laterMessage(job: AttemptJob, issue: Issue, turn: number): string {
  return continuationGuidance({turn, maxTurns: job.max_turns, issue});
}
