import type {WaitingRow} from '@symphony-supervisor/protocol';
import type {ComponentChildren} from 'preact';
import {issueHref} from '../parts/route.ts';

type Ref = Omit<WaitingRow, 'reason'>;

/** The head of every row: which issue, and the way to its page. */
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

interface TagsProps {
  readonly row: Ref;
  /** Whether there is more than one project. */
  readonly several: boolean;
  readonly attempt?: number | null;
}

/** Stand before what was said last. */
export function Tags({row, several, attempt = null}: TagsProps) {
  return (
    <span class="tags">
      {several ? <span class="tag">{row.project}</span> : null}
      <span class="tag">{row.state}</span>
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

/** Rows that fit the words typed into the filter. */
export function matching<T extends Ref>(rows: readonly T[], filter: string): readonly T[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = `${row.issue_identifier} ${row.issue_title} ${row.project} ${row.state}`;
    return words.every((word) => text.toLowerCase().includes(word));
  });
}
