import {isDeepStrictEqual} from 'node:util';
import type {Issue} from '@symphony-supervisor/protocol';
import type {WriteOutcome} from '../adapter.ts';
import {isSystemError, TrackerProblem} from '../answer.ts';
import {changesOf, type IssueUpdate, planUpdate} from '../update/update.ts';
import {
  type FileFacts,
  type FindIssue,
  type IssueText,
  isMalformed,
  readIssueText,
  toFileIssue,
  withBlockers,
} from './normalize.ts';
import {textOf} from './regular-file.ts';
import {type Decide, replaceFile} from './replace-file.ts';
import {editedText} from './text/edit.ts';
import {isFlaw, readFrontMatter} from './text/front-matter.ts';

/** Writes the changes into an issue's file, unless another writer changed it first. */
export async function updateFile(
  facts: FileFacts,
  known: Issue,
  wanted: IssueUpdate,
  find: FindIssue,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const decide: Decide<WriteOutcome> = (bytes, changedAt) => {
    const text = readText(facts, bytes);
    const before = readIssue(facts, text);
    const issueOf = (read: IssueText, at: Date) =>
      withBlockers(toFileIssue(read, {...facts, changedAt: at}), find);
    const found = issueOf(before, changedAt);
    if (found.id !== known.id) return {leave: {outcome: 'conflict', found: null}};
    const plan = planUpdate(known, found, wanted);
    if (plan.do === 'yield') return {leave: {outcome: 'conflict', found}};
    if (plan.do === 'nothing') return {leave: {outcome: 'unchanged', issue: found}};
    const {changes} = plan;
    const write = Buffer.from(editText(facts, text, changes));
    const after = readBack(facts, write, before, changes);
    return {
      write,
      done: (at) => ({outcome: 'written', issue: issueOf(after, at), changed: changesOf(changes)}),
    };
  };
  try {
    return await replaceFile(facts.path, decide, signal);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return {outcome: 'conflict', found: null};
    throw error;
  }
}

function readText({path}: FileFacts, bytes: Buffer): string {
  const content = textOf(bytes);
  if ('text' in content) return content.text;
  throw malformed(`${path} ${content.problem}`);
}

function readIssue({path, fileName}: FileFacts, text: string): IssueText {
  const issue = readIssueText(fileName, text);
  if (!isMalformed(issue)) return issue;
  throw malformed(`${path}:${issue.line ?? 1}: ${issue.problem}`);
}

function editText({path}: FileFacts, text: string, changes: IssueUpdate): string {
  const front = readFrontMatter(text);
  if (isFlaw(front)) throw malformed(`${path}:${front.line}: ${front.problem}`);
  return editedText(front, changes, new Date());
}

/**
 * YAML has more forms than foreseen here: nothing is written that does not read back as intended.
 */
function readBack(
  facts: FileFacts,
  bytes: Buffer,
  before: IssueText,
  {state = before.fields.state, labels = before.fields.labels, comment}: IssueUpdate,
): IssueText {
  const after = readIssueText(facts.fileName, readText(facts, bytes));
  if (!isMalformed(after)) {
    // A comment may have to close a code block that the description left open.
    const {description} = (comment === undefined ? before : after).fields;
    const meant = {...before.fields, state, labels: [...labels], description};
    if (isDeepStrictEqual(after.fields, meant)) return after;
  }
  throw malformed(
    `${facts.path}: front matter of this form cannot be edited safely; edit it by hand`,
  );
}

function malformed(message: string): TrackerProblem {
  return new TrackerProblem({code: 'tracker_response', message});
}
