import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {decode} from '@jridgewell/sourcemap-codec';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** As Node writes it for every process that ends by itself; the browser's tests write the same. */
export interface ProcessCoverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {readonly ranges: readonly Range[]}[];
  }[];
  readonly 'source-map-cache'?: Readonly<Record<string, CachedMap>>;
}

interface CachedMap {
  readonly lineLengths: readonly number[];
  readonly data: {readonly sources: readonly string[]; readonly mappings: string} | null;
}

/** A place in a script that stands for a line of a source file. */
interface Place {
  readonly offset: number;
  readonly path: string;
  readonly line: number;
}

/**
 * Which lines of which source files were executed, in any process. Counted from what the scripts hold, be
 * they bundles or single files: what a bundle has left out of a file is never taken for executed.
 */
export function executedLines(folder: string, isWanted: (path: string) => boolean) {
  const executed = new Map<string, Set<number>>();
  const places = new Map<string, readonly Place[]>();
  for (const name of readdirSync(folder)) {
    const coverage: ProcessCoverage = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const {url, functions} of coverage.result) {
      if (!url.startsWith('file:') || url.includes('/node_modules/')) continue;
      let found = places.get(url);
      if (found === undefined) {
        const map = coverage['source-map-cache']?.[url] ?? mapBeside(url);
        found = map === null ? [] : placesIn(url, map).filter(({path}) => isWanted(path));
        places.set(url, found);
      }
      const ranges = functions.flatMap((one) => one.ranges);
      for (const {path, line} of executedPlaces(found, ranges)) {
        const lines = executed.get(path) ?? new Set();
        executed.set(path, lines.add(line));
      }
    }
  }
  return executed;
}

/** Of the innermost range around a place: ranges lie within each other, or apart. */
function* executedPlaces(places: readonly Place[], ranges: readonly Range[]): Generator<Place> {
  const sorted = [...ranges].sort(
    (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset,
  );
  const around: Range[] = [];
  let next = 0;
  for (const place of places) {
    for (let range = sorted[next]; range && range.startOffset <= place.offset; ) {
      while ((around.at(-1)?.endOffset ?? Infinity) <= range.startOffset) around.pop();
      around.push(range);
      range = sorted[++next];
    }
    while ((around.at(-1)?.endOffset ?? Infinity) <= place.offset) around.pop();
    if ((around.at(-1)?.count ?? 0) > 0) yield place;
  }
}

function placesIn(url: string, {lineLengths, data}: CachedMap): Place[] {
  if (data === null) return [];
  const script = fileURLToPath(url);
  const sources = data.sources.map((source) =>
    source.startsWith('file:') ? fileURLToPath(source) : resolve(dirname(script), source),
  );
  let lineStart = 0;
  return decode(data.mappings).flatMap((segments, index) => {
    const start = lineStart;
    lineStart += (lineLengths[index] ?? 0) + 1;
    return segments.flatMap(([column, source, line]) => {
      const path = source === undefined ? undefined : sources[source];
      if (path === undefined || line === undefined) return [];
      return {offset: start + column, path, line: line + 1};
    });
  });
}

/** A browser keeps no maps for us. */
function mapBeside(url: string): CachedMap | null {
  const path = fileURLToPath(url);
  if (!existsSync(`${path}.map`)) return null;
  const lineLengths = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.length);
  return {lineLengths, data: JSON.parse(readFileSync(`${path}.map`, 'utf8'))};
}
