import {inspect} from 'node:util';

/** What a test file says about itself while it runs, a JSON line each. */
export type EventLine =
  | {readonly is: 'begun'; readonly name: string}
  | {readonly is: 'passed'; readonly name: string}
  | {readonly is: 'skipped'; readonly name: string; readonly why: string}
  | {readonly is: 'failed'; readonly name: string; readonly error: string}
  | {readonly is: 'note'; readonly text: string};

interface NodeEvent {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly nesting: number;
    readonly message?: string;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly details?: {readonly type?: string; readonly error?: TestError};
  };
}

interface TestError {
  readonly failureType?: string;
  readonly cause?: unknown;
}

/** Node's own closing counts: of one file, they are of no interest. */
const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** A reporter of node:test; the test list reads its lines, so that a file that is killed has told what it did. */
// biome-ignore lint/style/noDefaultExport: node:test takes the default export of a reporter
export default async function* eventLines(events: AsyncIterable<NodeEvent>): AsyncIterable<string> {
  const path: string[] = [];
  for await (const {type, data} of events) {
    if (type === 'test:start') path.splice(data.nesting, path.length, data.name);
    const line = lineOf(type, data, path.slice(0, data.nesting).concat(data.name).join(' > '));
    if (line !== null) yield `${JSON.stringify(line)}\n`;
  }
}

function lineOf(type: string, data: NodeEvent['data'], name: string): EventLine | null {
  switch (type) {
    case 'test:dequeue':
      return {is: 'begun', name: data.name};
    case 'test:pass':
      if (data.details?.type === 'suite') return null;
      if (!isMarked(data.skip) && !isMarked(data.todo)) return {is: 'passed', name};
      return {is: 'skipped', name, why: String(data.skip ?? data.todo)};
    case 'test:fail': {
      const error = data.details?.error;
      // Its tests are listed themselves.
      if (error?.failureType === 'subtestsFailed') return null;
      if (isMarked(data.todo)) return {is: 'skipped', name, why: `to do: ${data.todo}`};
      return {is: 'failed', name, error: inspect(error?.cause ?? error)};
    }
    case 'test:diagnostic':
      return COUNT.test(data.message ?? '') ? null : {is: 'note', text: data.message ?? ''};
    default:
      return null;
  }
}

/** Node 20 gives the reason, `true`, or an empty string for a test without one. */
function isMarked(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}
