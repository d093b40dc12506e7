import {
  cutText,
  type FileChange,
  type Loose,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';

/** A diff of the protocol: the text before and after, of the file or of a part of it. */
export function changeOf({path, oldText, newText}: Loose): FileChange {
  const before = textOrNull(oldText);
  const after = text(newText);
  if (before === null) return {path: text(path), kind: 'add', diff: cutText(after)};
  return {path: text(path), kind: 'update', diff: cutText(hunkOf(before, after))};
}

/** One hunk, without the lines that are the same at both ends. */
function hunkOf(before: string, after: string): string {
  const [removed, added] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(removed.length, added.length);
  let head = 0;
  while (head < shorter && removed[head] === added[head]) head++;
  let tail = 0;
  while (tail < shorter - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail++;
  const gone = removed.slice(head, removed.length - tail);
  const come = added.slice(head, added.length - tail);
  const at = `@@ -${head + 1},${gone.length} +${head + 1},${come.length} @@`;
  const lines = [at, ...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)];
  return `${lines.join('\n')}\n`;
}

function linesOf(content: string): string[] {
  return content === '' ? [] : content.replace(/\n$/, '').split('\n');
}
