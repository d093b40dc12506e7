import type {WaitingRow} from '@symphony-supervisor/protocol';
import type {ComponentChildren} from 'preact';
import {roleWords} from '../../view/words.ts';
import {issueHref} from '../parts/route.ts';

type Ref = Omit<WaitingRow, 'reason' | 'role'>;

/** The head of every row: the issue, and the link to its page. */
export function IssueHead({row}: {row: Ref}) {
  return (
    <div class="issue-head">
      <a class="row-link" href={issueHref(row)}>
        <span class="identifier">{row.issue_identifier}</span>{' '}
        <span class="title">{row.issue_title}</span>
      </a>
    </div>
  );
}

/** The workflow file itself needs no mention. */
export function RoleTag({row}: {row: {readonly role: string}}) {
  const role = roleWords(row);
  return role === '' ? null : (
    <span class="tag" title="role">
      {role}
    </span>
  );
}

interface TagsProps {
  /** What a kept workspace was for has no role any more. */
  readonly row: Ref & {readonly role?: string};
  /** Whether there is more than one project. */
  readonly several: boolean;
  readonly attempt?: number | null;
  /** Its kind and model. */
  readonly agent?: string;
}

/** Shown before the last message. */
export function Tags({row, several, attempt = null, agent = ''}: TagsProps) {
  return (
    <span class="tags">
      {several ? <span class="tag">{row.project}</span> : null}
      <span class="tag">{row.state}</span>
      {row.role === undefined ? null : <RoleTag row={{role: row.role}} />}
      {agent === '' ? null : <span class="tag">{agent}</span>}
      {attempt === null ? null : <span class="tag violet-tag">retry {attempt}</span>}
    </span>
  );
}

export interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly shown: number;
  /** If more exist than are listed. */
  readonly all?: number;
  readonly tone?: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}

export function Section({id, title, shown, all = shown, tone = '', hint, children}: SectionProps) {
  return (
    <section class={`panel ${tone}`} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title} <span class="number">{all}</span>
        {all > shown ? <span class="hint">the first {shown}</span> : null}
        {hint === undefined ? null : <span class="hint">{hint}</span>}
      </h2>
      {children}
    </section>
  );
}

/** Rows that match the text of the filter. */
export function matching<T extends TagsProps['row']>(
  rows: readonly T[],
  filter: string,
): readonly T[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const {issue_identifier, issue_title, project, state, role = ''} = row;
    const text = `${issue_identifier} ${issue_title} ${project} ${state} ${role}`;
    return words.every((word) => text.toLowerCase().includes(word));
  });
}
