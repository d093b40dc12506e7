import {stripVTControlCharacters} from 'node:util';

/** So many lines of a log are shown. */
export const LOG_LINES = 50;
/** Read from the end of a log: fifty lines, even long ones. */
export const LOG_TAIL_BYTES = 256 * 1024;
/** A minified bundle in an error message is one line. */
const LINE_CHARACTERS = 1_000;

/** `2026-01-02T03:04:05.1234567Z `; GitLab adds the stream and whether a line goes on: `01O `. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z (?:\d\d[OE][ +])?/;
/** GitLab folds its logs by these. */
const SECTION = /section_(?:start|end):\d+:[^\r\n]*[\r\n]?/g;
/** With this line of Actions a failed step ends; what follows it is clean-up. */
const ERROR_OF_STEP = /^(?:##\[error\]|::error)/;

/** The last lines of a log as a person reads them on the page of the job. */
export function cleanLog(tail: string): string {
  const lines = tail.replace(SECTION, '').split('\n').map(readableLine);
  const failed = lines.findLastIndex((line) => ERROR_OF_STEP.test(line));
  const end = failed === -1 ? lines.length : failed + 1;
  const told = lines.slice(0, end).join('\n').trimEnd().split('\n');
  return told.slice(-LOG_LINES).join('\n');
}

function readableLine(line: string): string {
  const plain = stripVTControlCharacters(line.replace(TIMESTAMP, '').trimEnd());
  // A progress bar writes one line many times; the last of it stands.
  const last = plain.slice(plain.lastIndexOf('\r') + 1).replace(TIMESTAMP, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a log must not bring along
  const text = last.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
  return text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS)}…` : text;
}
