import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

/**
 * Keeps a part of a page in step with the code: what stands between `<!-- name:begin … -->` and
 * `<!-- name:end -->` is written anew from what is there. With `--check` it is only compared.
 */
export function keepSection(page: string, name: string, write: (before: string) => string): void {
  const path = fileURLToPath(new URL(`../${page}`, import.meta.url));
  const text = readFileSync(path, 'utf8');
  const begin = new RegExp(`<!-- ${name}:begin.*-->\n`).exec(text);
  const end = text.indexOf(`<!-- ${name}:end -->`);
  if (begin === null || end < begin.index) throw new Error(`${page} has lost its marks of ${name}`);
  const start = begin.index + begin[0].length;
  const fresh = `${text.slice(0, start)}\n${write(text.slice(start, end))}\n${text.slice(end)}`;
  if (!process.argv.includes('--check')) writeFileSync(path, fresh);
  else if (fresh !== text) {
    console.error(`${page} is stale (${name}): run \`npm run generate\``);
    process.exitCode = 1;
  }
}

/** A bar or a line break would end a cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`;
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`;
}
