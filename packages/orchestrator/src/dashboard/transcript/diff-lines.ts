import type {FileChange} from './entry.ts';

export interface DiffLine {
  readonly is: 'added' | 'removed' | 'same' | 'place';
  readonly text: string;
}

/** A whole new or deleted file is given as its content, a change as a unified diff. */
export function diffLines({kind, diff}: Pick<FileChange, 'kind' | 'diff'>): DiffLine[] {
  const lines = (diff.endsWith('\n') ? diff.slice(0, -1) : diff).split('\n');
  if (diff === '') return [];
  if (kind !== 'update') {
    const is = kind === 'add' ? 'added' : 'removed';
    return lines.map((text) => ({is, text}));
  }
  // The file names come before the first hunk; after it, `--- ` is a removed line.
  const first = Math.max(
    0,
    lines.findIndex((line) => line.startsWith('@@')),
  );
  return lines
    .slice(first)
    .filter((line) => !line.startsWith('\\ No newline'))
    .map((line): DiffLine => {
      if (line.startsWith('@@')) return {is: 'place', text: line};
      if (line.startsWith('+')) return {is: 'added', text: line.slice(1)};
      if (line.startsWith('-')) return {is: 'removed', text: line.slice(1)};
      return {is: 'same', text: line.startsWith(' ') ? line.slice(1) : line};
    });
}

export function tally(lines: readonly DiffLine[]): {added: number; removed: number} {
  const of = (is: DiffLine['is']) => lines.filter((line) => line.is === is).length;
  return {added: of('added'), removed: of('removed')};
}
