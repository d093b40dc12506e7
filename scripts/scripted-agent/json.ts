/** A JSON object whose fields have not been looked at yet. */
export type Fields = {readonly [name: string]: unknown};

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object behind `value`; anything else counts as an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Calls `onLine` for each line. Only new text is searched, so that a long line costs its length once. */
export function lineSplitter(onLine: (line: string) => void): (chunk: string) => void {
  let unfinished: string[] = [];
  return (chunk) => {
    let from = 0;
    for (let to = chunk.indexOf('\n'); to !== -1; to = chunk.indexOf('\n', from)) {
      const line = [...unfinished, chunk.slice(from, to)].join('');
      unfinished = [];
      from = to + 1;
      if (line.trim() !== '') onLine(line);
    }
    if (from < chunk.length) unfinished.push(chunk.slice(from));
  };
}
