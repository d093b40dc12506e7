import type {FileResult, Named} from './run-file.ts';
import {SUITES} from './suites.ts';

/** What the run is going to do. */
export function opening(count: number, concurrency: number, isWhole: boolean): string {
  const files = `${count} test file${count === 1 ? '' : 's'}, ${concurrency} at a time`;
  if (!isWhole) return `${files}.\n`;
  const width = Math.max(...SUITES.map(({command}) => command.length));
  const others = SUITES.map(({command, about}) => `  ${command.padEnd(width)}  ${about}`);
  return [
    `${files}: about 4 minutes on two idle cores. Left out, each with a command of its own:`,
    ...others,
    '',
  ].join('\n');
}

/** A line for each file; all about it if it failed. */
export function progress(result: FileResult, done: number, count: number): string {
  const {file, passed, failures, skipped, notes, output, ms} = result;
  const place = `[${String(done).padStart(String(count).length)}/${count}]`;
  const tests = passed + failures.length + skipped.length;
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  const verdict = failures.length === 0 ? 'ok  ' : 'FAIL';
  const lines = [`${place} ${verdict} ${file}  (${tests} tests, ${seconds})`];
  lines.push(...notes.map((note) => `  ${note}`));
  if (failures.length > 0) {
    for (const {name, text} of failures) lines.push(`\n  ${name}`, indented(text));
    if (output.trim() !== '') lines.push('\n  Printed by the file:', indented(output.trimEnd()));
    lines.push('');
  }
  return lines.join('\n');
}

/** What failed and what was skipped, in short; the counts are the last line. */
export function closing(results: readonly FileResult[], ms: number): string {
  const failed = listed(results, ({failures}) => failures);
  const skipped = listed(results, ({skipped}) => skipped);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  return [
    ...(skipped.length > 0 ? ['', 'Skipped:', ...skipped] : []),
    ...(failed.length > 0 ? ['', 'Failed:', ...failed] : []),
    '',
    `${results.length} files in ${Math.round(ms / 1000)} s`,
    `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`,
  ].join('\n');
}

function listed(
  results: readonly FileResult[],
  of: (result: FileResult) => readonly Named[],
): string[] {
  return results.flatMap((result) =>
    of(result).map(({name, text}) => `  ${result.file}: ${name}: ${text.split('\n')[0]}`),
  );
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
