import {analyzeSync, Context, Liquid, LiquidError, type Template} from 'liquidjs';
import {malformed, unknown, unrenderable} from '../complaint.ts';
import type {PromptVariables} from '../variables.ts';
import {namesIn} from './names-in.ts';
import {printed} from './print.ts';
import {type Place, placeOf, type Source} from './source.ts';

/** Far above any prompt, far below what would hurt the process that renders it. */
const MAX_TEMPLATE_CHARACTERS = 1_000_000;
const MAX_ALLOCATIONS = 50_000_000;
/** Long, because a busy machine must not fail a good template. */
const MAX_RENDER_MS = 10_000;

const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  outputEscape: printed,
  // Replaces the file system: templates cannot include others.
  templates: Object.create(null),
  parseLimit: MAX_TEMPLATE_CHARACTERS,
  renderLimit: MAX_RENDER_MS,
  memoryLimit: MAX_ALLOCATIONS,
});

class UnknownPartial extends Error {}

for (const tag of ['include', 'render', 'layout']) {
  engine.registerTag(tag, {
    parse({args}) {
      throw new UnknownPartial(/^\s*["']?([^"',\s]*)/.exec(args)?.[1] ?? args);
    },
    render() {},
  });
}

export function renderLiquid(source: Source, variables: PromptVariables): string {
  const template = parse(source);
  try {
    return engine.renderSync(template, new StrictContext(variables));
  } catch (error) {
    throw renderFailure(source, error, variables);
  }
}

/** Also finds unknown names in branches that no sample renders. */
export function checkLiquidNames(source: Source, variables: PromptVariables): void {
  const {globals} = analyzeSync(parse(source), {partials: false});
  const context = new StrictContext(variables);
  for (const {segments, location} of Object.values(globals).flat()) {
    // Of `a[b].c` only the beginning is known without rendering; `b` is checked separately.
    const computed = segments.findIndex((segment) => typeof segment === 'object');
    const fixed = computed < 0 ? segments : segments.slice(0, computed);
    try {
      context.getSync(fixed.filter((segment) => typeof segment !== 'object'));
    } catch (error) {
      const place = placeOf(source, {line: location.row, column: location.col});
      throw unknown(place, 'variable', undefinedVariable(error) ?? '', namesIn(variables));
    }
  }
}

class StrictContext extends Context {
  constructor(variables: PromptVariables) {
    // A copy, because `{% increment %}` modifies its input.
    super({...variables}, engine.options, {sync: true}, {liquid: engine});
  }

  override readProperty(...[object, key]: Parameters<Context['readProperty']>): unknown {
    const value: unknown = super.readProperty(object, key);
    // A list may be too short for `labels[0]` or `labels.first`; that is not an error.
    const isPosition = typeof key === 'number' || key === 'first' || key === 'last';
    return value === undefined && Array.isArray(object) && isPosition ? null : value;
  }
}

function parse(source: Source): Template[] {
  try {
    return engine.parse(source.text);
  } catch (error) {
    const {place, cause, what} = read(source, error);
    if (place !== null && cause instanceof UnknownPartial) {
      throw unknown(place, 'partial', cause.message);
    }
    const filter = /^undefined filter: (.+)$/.exec(what)?.[1];
    if (place !== null && filter !== undefined) {
      throw unknown(place, 'filter', filter, Object.keys(engine.filters));
    }
    throw malformed(place, what, error);
  }
}

function renderFailure(source: Source, error: unknown, variables: PromptVariables): Error {
  const {place, cause, what} = read(source, error);
  const variable = undefinedVariable(cause);
  return place !== null && variable !== null
    ? unknown(place, 'variable', variable, namesIn(variables))
    : unrenderable(place, what, error);
}

/** The library does not export this error class. */
function undefinedVariable(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return /^undefined variable: (.+)$/.exec(error.message)?.[1] ?? null;
}

/** The parts of a library error: it appends the position to every message. */
function read(source: Source, error: unknown): {place: Place | null; cause: unknown; what: string} {
  if (!LiquidError.is(error)) {
    return {place: null, cause: error, what: error instanceof Error ? error.message : `${error}`};
  }
  const [line = 1, column = 1] = error.token.getPosition();
  return {
    place: placeOf(source, {line, column}),
    cause: error.originalError,
    what: error.message.replace(/, line:\d+, col:\d+$/, ''),
  };
}
