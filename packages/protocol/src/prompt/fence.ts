import type {Issue} from '../wire/issue.ts';

/** An issue for a prompt. */
export function fencedIssue({identifier, title, description}: Issue): string {
  const text = description?.trim() ?? '';
  return fenced(`${identifier}: ${title}${text === '' ? '' : `\n\n${text}`}`);
}

/**
 * Quotes foreign text as a block. The fence is longer than any run of backticks in the text, so the
 * text cannot close it.
 */
export function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
