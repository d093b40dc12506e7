import type {ToolResult, ToolSpec} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import type {WriteOutcome} from '../../adapter.ts';
import type {Answer} from '../../answer.ts';
import {complaintOf, refused, resultOf} from '../../update/update-tool.ts';
import {labelKey, type StateRules} from '../state.ts';
import type {GithubUpdate} from '../write/write.ts';

export const ISSUE_TOOL = 'github_issue';

const NAMES = 'comment, state, add_labels, remove_labels and close';

const labels = (what: string) =>
  z.optional(
    z
      .array(
        z
          .string('must be text')
          .check(
            z.trim(),
            z.minLength(1, 'must not be blank'),
            z.maxLength(50, 'must have at most 50 characters'),
            z.regex(/^[^\p{Cc}\u2028\u2029,]*$/u, 'must be one line of plain text without commas'),
          ),
        'must be a list',
      )
      .check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(20, 'must have at most 20 entries'),
        z.describe(what),
      ),
  );

const Arguments = z.strictObject({
  comment: z.optional(
    z
      .string('must be text')
      .check(
        z.trim(),
        z.minLength(1, 'must not be blank'),
        z.maxLength(65_536, 'must have at most 65536 characters'),
        z.describe('Markdown to add to the issue as a comment.'),
      ),
  ),
  state: z.optional(
    z
      .string('must be text')
      .check(
        z.trim(),
        z.minLength(1, 'must not be blank'),
        z.maxLength(100, 'must have at most 100 characters'),
        z.describe('The state to move the issue to.'),
      ),
  ),
  add_labels: labels('Labels to add. Labels of states are changed by state.'),
  remove_labels: labels('Labels to remove.'),
  close: z.optional(
    z
      .enum(['completed', 'not_planned'], 'must be completed or not_planned')
      .check(z.describe('Closes the issue, for this reason.')),
  ),
});

/** Has no argument for the issue: an agent can only reach its own. */
export function issueToolSpec(states: readonly string[]): ToolSpec {
  const {$schema: _, ...schema} = z.toJSONSchema(Arguments, {io: 'input'});
  const known = states.length === 0 ? '' : ` States: ${states.join(', ')}.`;
  return {
    name: ISSUE_TOOL,
    description: `Updates the GitHub issue that you work on. Give at least one of ${NAMES}.${known}`,
    // The generator's type also covers what JSON cannot hold; its output is JSON.
    input_schema: schema as ToolSpec['input_schema'],
  };
}

export async function callIssueTool(
  args: unknown,
  rules: StateRules,
  apply: (update: GithubUpdate, onWrite: () => void) => Promise<Answer<WriteOutcome>>,
): Promise<ToolResult> {
  const parsed = Arguments.safeParse(args);
  if (!parsed.success) return refused('invalid_arguments', complaintOf(parsed.error.issues));
  const update = parsed.data;
  const complaint = complaintAbout(update, rules);
  if (complaint !== null) return refused('invalid_arguments', complaint);
  let wrote = false;
  const answer = await apply(update, () => {
    wrote = true;
  });
  if (answer.ok) return resultOf(answer.value);
  // Half of the update may be done, so the scheduler must read the issue again.
  return {...refused(answer.failure.code, answer.failure.message), wrote};
}

function complaintAbout(update: GithubUpdate, {stateLabels}: StateRules): string | null {
  if (Object.keys(update).length === 0) return `give at least one of ${NAMES}`;
  if (update.state !== undefined && update.close !== undefined) {
    return 'give either state or close';
  }
  const states = new Set(stateLabels.map(({label}) => labelKey(label)));
  const touched = [...(update.add_labels ?? []), ...(update.remove_labels ?? [])];
  // The raw tool could set two states at once or overwrite a person's change.
  const stateLabel = touched.find((label) => states.has(labelKey(label)));
  return stateLabel === undefined
    ? null
    : `the label "${stateLabel}" is the label of a state; use state`;
}
