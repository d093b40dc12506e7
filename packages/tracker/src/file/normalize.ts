import {pathToFileURL} from 'node:url';
import type {BlockerRef, Issue} from '@symphony-supervisor/protocol';
import {toBlockers, toInstant, toLabels, toPriority, toText} from '../normalize.ts';
import {readBody} from './text/comments.ts';
import {type FrontMatter, fieldOf, isFlaw, lineOf, readFrontMatter} from './text/front-matter.ts';
import {firstHeading} from './text/markdown.ts';

/**
 * What the text of a file says. Blockers' states and times come from other files and the file
 * system.
 */
export interface IssueText {
  readonly fields: Omit<Issue, 'created_at' | 'updated_at' | 'native_ref'>;
  /** undefined: the key is absent. */
  readonly createdAt: string | null | undefined;
  readonly comments: string | null;
}

/** A file that is not an issue. */
export interface MalformedFile {
  /** null: the file as a whole. */
  readonly line: number | null;
  readonly problem: string;
  readonly id: string;
  readonly identifier: string;
}

/** What the file system says about a file. */
export interface FileFacts {
  readonly path: string;
  readonly fileName: string;
  readonly bornAt: Date;
  readonly changedAt: Date;
}

export function isMalformed(result: object): result is MalformedFile {
  return 'problem' in result;
}

export function nameOf(fileName: string): string {
  return fileName.replace(/\.md$/, '');
}

export function readIssueText(fileName: string, text: string): IssueText | MalformedFile {
  const front = readFrontMatter(text);
  if (isFlaw(front)) {
    const {line, problem} = front;
    return {...namesIn(front.front, fileName), line, problem};
  }
  const malformed = (line: number, problem: string): MalformedFile => ({
    ...namesIn(front, fileName),
    line,
    problem,
  });
  for (const key of ['id', 'identifier', 'title', 'state']) {
    const value = fieldOf(front, key) ?? null;
    if (value !== null && toText(value) === null) {
      return malformed(lineOf(front, key), `${key} must be text, and not blank`);
    }
  }
  const state = toText(fieldOf(front, 'state'));
  if (state === null) return malformed(lineOf(front, 'state'), 'state is missing');
  const {description, comments} = readBody(text, front.bodyStart);
  const title = toText(fieldOf(front, 'title')) ?? firstHeading(description);
  if (title === null)
    return malformed(1, 'title is missing, and there is no heading to use instead');
  return {
    fields: {
      ...namesIn(front, fileName),
      title,
      description: toText(description),
      priority: toPriority(fieldOf(front, 'priority')),
      state,
      branch_name: toText(fieldOf(front, 'branch_name')),
      url: toText(fieldOf(front, 'url')),
      assignee_id: toText(fieldOf(front, 'assignee')),
      labels: toLabels(fieldOf(front, 'labels')),
      blocked_by: toBlockers(fieldOf(front, 'blocked_by')),
      dispatchable: true,
    },
    createdAt: createdAtIn(front),
    comments: toText(comments),
  };
}

/** Also read from a malformed file, so that the affected issue is known. */
function namesIn(front: FrontMatter | null, fileName: string): {id: string; identifier: string} {
  const text = (key: string) => (front === null ? null : toText(fieldOf(front, key)));
  const identifier = text('identifier') ?? nameOf(fileName);
  return {id: text('id') ?? identifier, identifier};
}

function createdAtIn(front: FrontMatter): string | null | undefined {
  const value = fieldOf(front, 'created_at') ?? undefined;
  return value === undefined ? undefined : toInstant(value);
}

/** Blockers are those named in the text; `withBlockers` adds their states from their own files. */
export function toFileIssue({fields, createdAt, comments}: IssueText, facts: FileFacts): Issue {
  return {
    ...fields,
    url: fields.url ?? pathToFileURL(facts.path).href,
    native_ref: {file: facts.fileName, comments},
    created_at: createdAt === undefined ? facts.bornAt.toISOString() : createdAt,
    updated_at: facts.changedAt.toISOString(),
  };
}

export type FindIssue = (identifier: string) => Issue | undefined;

export function withBlockers(issue: Issue, find: FindIssue): Issue {
  if (issue.blocked_by.length === 0) return issue;
  return {...issue, blocked_by: issue.blocked_by.map((blocker) => resolved(blocker, find))};
}

function resolved(blocker: BlockerRef, find: FindIssue): BlockerRef {
  const {identifier} = blocker;
  const issue = identifier === null ? undefined : find(identifier);
  return issue === undefined
    ? {id: null, identifier, state: null}
    : {id: issue.id, identifier, state: issue.state};
}
