import {readFileSync} from 'node:fs';
import {decode} from '@jridgewell/sourcemap-codec';
import {transformSync} from 'esbuild';

/** What a bundle has no trace of, wherever its parts come from. */
const IMPORT = /^(?:import '[^']*'|(?:import|export)\s(?:[\w*,\s]|\{[^}]*\})*\sfrom\s+'[^']*');$/gm;
const ONLY_CLOSES = /^[\s)\]}>;,]*$/;

/**
 * The lines (from 1) of a source file that hold something to execute: neither types nor comments, neither
 * imports nor a lonely brace. A file of types has none.
 */
export function codeLines(path: string): Set<number> {
  const text = readFileSync(path, 'utf8');
  const isBlank = blankLines(text);
  const {map} = transformSync(text, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    target: 'node20',
    sourcemap: 'external',
    sourcefile: path,
  });
  const mapped = decode(JSON.parse(map).mappings)
    .flat()
    .flatMap(([, source, line]) => (source === undefined || line === undefined ? [] : line + 1));
  return new Set(mapped.filter((line) => !isBlank.has(line)).sort((a, b) => a - b));
}

function blankLines(text: string): Set<number> {
  const blank = new Set<number>();
  text.split('\n').forEach((line, index) => {
    if (ONLY_CLOSES.test(line)) blank.add(index + 1);
  });
  for (const {0: whole, index} of text.matchAll(IMPORT)) {
    const first = text.slice(0, index).split('\n').length;
    for (let nth = 0; nth < whole.split('\n').length; nth++) blank.add(first + nth);
  }
  return blank;
}
