import type {Issue, ToolResult, ToolSpec} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import type {WriteOutcome} from '../adapter.ts';
import type {Answer} from '../answer.ts';
import {toLabels} from '../normalize.ts';
import type {IssueUpdate} from './update.ts';

const NAME = 'update_issue';

const Arguments = z.strictObject({
  state: z.optional(
    z
      .string('must be text')
      .check(
        z.trim(),
        z.minLength(1, 'must not be blank'),
        z.maxLength(100, 'must have at most 100 characters'),
        z.regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line of plain text'),
        z.describe('The state to move the issue to, for example "In Review" or "Done".'),
      ),
  ),
  comment: z.optional(
    z
      .string('must be text')
      .check(
        z.trim(),
        z.minLength(1, 'must not be blank'),
        z.maxLength(65_536, 'must have at most 65536 characters'),
        z.describe('Markdown to add to the comments of the issue.'),
      ),
  ),
  labels: z.optional(
    z
      .array(
        z
          .string('must be text')
          .check(
            z.maxLength(100, 'must have at most 100 characters'),
            z.regex(/^[^\p{Cc}\u2028\u2029,]*$/u, 'must be one line of plain text without commas'),
          ),
        'must be a list',
      )
      .check(
        z.maxLength(100, 'must have at most 100 entries'),
        z.describe('The complete list of labels of the issue; other labels are removed.'),
      ),
  ),
});

/** The tool's own write: like a transition or a comment, but atomic. */
export type ApplyUpdate = (update: IssueUpdate) => Promise<Answer<WriteOutcome>>;

/** Has no argument for the issue: an agent can only reach its own. */
export function updateIssueSpec(what: string): ToolSpec {
  const {$schema: _, ...schema} = z.toJSONSchema(Arguments, {io: 'input'});
  return {
    name: NAME,
    description: `${what} Give at least one of state, comment and labels.`,
    // The generator's type also covers what JSON cannot hold; its output is JSON.
    input_schema: schema as ToolSpec['input_schema'],
  };
}

export async function callUpdateIssue(
  name: string,
  args: unknown,
  apply: ApplyUpdate,
): Promise<ToolResult> {
  if (name !== NAME) return refused('unknown_tool', `there is no tool "${name}"; use ${NAME}`);
  const parsed = Arguments.safeParse(args);
  if (!parsed.success) return refused('invalid_arguments', complaintOf(parsed.error.issues));
  const update = asUpdate(parsed.data);
  if (Object.keys(update).length === 0) {
    return refused('invalid_arguments', 'give at least one of state, comment and labels');
  }
  const answer = await apply(update);
  if (!answer.ok) return refused(answer.failure.code, answer.failure.message);
  return resultOf(answer.value);
}

function asUpdate({state, comment, labels}: z.infer<typeof Arguments>): IssueUpdate {
  return {
    ...(state === undefined ? {} : {state}),
    ...(comment === undefined ? {} : {comment}),
    ...(labels === undefined ? {} : {labels: toLabels(labels)}),
  };
}

export function resultOf(done: WriteOutcome): ToolResult {
  if (done.outcome === 'conflict') {
    const {found} = done;
    return found === null
      ? refused('issue_not_found', 'the issue is no longer in the tracker; nothing was written')
      : refused(
          'conflict',
          `another writer has moved the issue to "${found.state}"; nothing was written`,
          {issue: summaryOf(found)},
        );
  }
  const wrote = done.outcome === 'written';
  const content = {issue: summaryOf(done.issue), changed: wrote ? [...done.changed] : []};
  return {success: true, content, wrote};
}

/** Without the description: the agent has it, and it can be long. */
export function summaryOf({id, identifier, title, state, labels, updated_at}: Issue) {
  return {id, identifier, title, state, labels, updated_at};
}

type Details = Readonly<Record<string, ReturnType<typeof summaryOf>>>;

export function refused(code: string, message: string, details: Details = {}): ToolResult {
  return {success: false, content: {error: {code, message}, ...details}, wrote: false};
}

export function complaintOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .map((issue) => {
      if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.join(', ')}`;
      const where = issue.path.length === 0 ? 'the arguments' : issue.path.join('.');
      return `${where} ${issue.path.length === 0 ? 'must be an object' : issue.message}`;
    })
    .join('; ');
}
