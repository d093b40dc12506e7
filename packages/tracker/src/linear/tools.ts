import type {Issue, ToolResult, ToolSpec} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import type {Answer} from '../answer.ts';
import {complaintOf, refused, summaryOf} from '../update/update-tool.ts';
import {RAW_TOOL} from './profile.ts';
import type {LinearOutcome, LinearUpdate} from './write.ts';

export const ISSUE_TOOL = 'linear_issue';

const line = (most: number) =>
  z
    .string('must be text')
    .check(
      z.trim(),
      z.minLength(1, 'must not be blank'),
      z.maxLength(most, `must have at most ${most} characters`),
      z.regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line of plain text'),
    );

const Arguments = z.strictObject({
  state: z.optional(
    line(100).check(z.describe('The name of the state to move the issue to, such as "In Review".')),
  ),
  comment: z.optional(
    z
      .string('must be text')
      .check(
        z.trim(),
        z.minLength(1, 'must not be blank'),
        z.maxLength(65_536, 'must have at most 65536 characters'),
        z.describe('Markdown to add as a comment.'),
      ),
  ),
  add_labels: z.optional(
    z
      .array(line(100), 'must be a list')
      .check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(20, 'must have at most 20 entries'),
        z.describe('Names of labels to add. They must exist in Linear.'),
      ),
  ),
  attach_url: z.optional(
    line(2_000).check(
      z.regex(/^https?:\/\/[^\s/]/i, 'must be an http or https address'),
      z.describe('An address to attach to the issue, for example of a pull request.'),
    ),
  ),
  attach_title: z.optional(line(200).check(z.describe('Title of the attached address.'))),
});

const RawArguments = z.strictObject({
  query: z
    .string('must be text')
    .check(
      z.minLength(1, 'must not be blank'),
      z.maxLength(20_000, 'must have at most 20000 characters'),
      z.describe('A GraphQL document with exactly one query or mutation.'),
    ),
  variables: z.optional(
    z
      .nullable(z.record(z.string(), z.unknown(), 'must be an object'))
      .check(z.describe('The values of its variables.')),
  ),
});

const ONE_OF = 'Give at least one of state, comment, add_labels and attach_url.';

/** Created on first use: generating their schemas takes longer than opening the tracker. */
let specs: readonly [issue: ToolSpec, raw: ToolSpec] | null = null;

export function linearTools(withRaw: boolean): readonly ToolSpec[] {
  specs ??= [
    // Has no argument for the issue: an agent can only reach its own.
    spec(ISSUE_TOOL, `Updates the Linear issue that you work on. ${ONE_OF}`, Arguments),
    spec(
      RAW_TOOL,
      'Sends one query or mutation to the GraphQL API of Linear, with all permissions of the configured key.',
      RawArguments,
    ),
  ];
  return withRaw ? specs : [specs[0]];
}

export type Parsed<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly result: ToolResult};

export function parseUpdate(args: unknown): Parsed<LinearUpdate> {
  const parsed = Arguments.safeParse(args);
  if (!parsed.success) return invalid(complaintOf(parsed.error.issues));
  const {state, comment, add_labels: addLabels, attach_url: url, attach_title: title} = parsed.data;
  if (title !== undefined && url === undefined) return invalid('attach_title needs an attach_url');
  const update: LinearUpdate = {
    ...(state === undefined ? {} : {state}),
    ...(comment === undefined ? {} : {comment}),
    ...(addLabels === undefined ? {} : {addLabels}),
    ...(url === undefined ? {} : {attach: {url, title}}),
  };
  return Object.keys(update).length === 0 ? invalid(ONE_OF) : {ok: true, value: update};
}

export function parseRaw(args: unknown): Parsed<z.infer<typeof RawArguments>> {
  const parsed = RawArguments.safeParse(args);
  return parsed.success
    ? {ok: true, value: parsed.data}
    : invalid(complaintOf(parsed.error.issues));
}

export function resultOf(answer: Answer<LinearOutcome>): ToolResult {
  if (!answer.ok) return refused(answer.failure.code, answer.failure.message);
  const {value} = answer;
  switch (value.outcome) {
    case 'no-label':
      return refused(
        'label_not_found',
        `Linear has no label "${value.name}" for this issue's team`,
      );
    case 'conflict':
      return conflict(value.found);
    case 'unchanged':
      return {success: true, content: {issue: summaryOf(value.issue), changed: []}, wrote: false};
    case 'written': {
      const content = {issue: summaryOf(value.issue), changed: [...value.changed]};
      if (value.stoppedBy === null) return {success: true, content, wrote: true};
      const {code, message} = value.stoppedBy.failure;
      return {success: false, content: {error: {code, message}, ...content}, wrote: true};
    }
  }
}

function conflict(found: Issue | null): ToolResult {
  if (found === null) {
    return refused('issue_not_found', 'the issue is no longer in the project; nothing was written');
  }
  const message = `another writer has moved the issue to "${found.state}"; nothing was written`;
  return refused('conflict', message, {issue: summaryOf(found)});
}

function invalid(message: string): {ok: false; result: ToolResult} {
  return {ok: false, result: refused('invalid_arguments', message)};
}

function spec(name: string, description: string, schema: z.ZodMiniType): ToolSpec {
  const {$schema: _, ...input} = z.toJSONSchema(schema, {io: 'input'});
  // The generator's type also covers what JSON cannot hold; its output is JSON.
  return {name, description, input_schema: input as ToolSpec['input_schema']};
}
