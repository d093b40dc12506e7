/**
 * The parts of a workflow file. The front matter starts on line 2; a missing one counts as empty.
 */
export interface FileParts {
  readonly frontMatter: string;
  readonly prompt: string;
}

const FENCE = /^---[ \t]*$/;

/** null: the front matter is opened and never closed. */
export function splitFile(text: string): FileParts | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (!FENCE.test(lines[0] ?? '')) return {frontMatter: '', prompt: promptOf(lines)};
  const close = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (close === -1) return null;
  return {
    frontMatter: lines.slice(1, close).join('\n'),
    prompt: promptOf(lines.slice(close + 1)),
  };
}

function promptOf(lines: readonly string[]): string {
  return lines.join('\n').trim();
}
