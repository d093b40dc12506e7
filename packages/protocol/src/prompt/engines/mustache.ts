import mustache from 'mustache';
import {malformed, unknown} from '../complaint.ts';
import type {PromptVariables} from '../variables.ts';
import {parseErrorIn} from './mustache-parse-error.ts';
import {namesIn} from './names-in.ts';
import {printed} from './print.ts';
import {placeAt, type Source} from './source.ts';

/** Strict Mustache: names in the template must exist. */
export function renderMustache(source: Source, variables: PromptVariables): string {
  // A writer caches every parsed template; ours lives for one rendering.
  const writer = new StrictWriter(source);
  return writer.renderTokens(parse(writer, source), new StrictContext(variables));
}

function parse(writer: mustache.Writer, source: Source): string[][] {
  try {
    return writer.parse(source.text);
  } catch (error) {
    const {offset, what} = parseErrorIn(source.text, error);
    throw malformed(placeAt(source, offset), what, error);
  }
}

/** Finds own properties only. `null` is a known value, `undefined` an unknown name. */
class StrictContext extends mustache.Context {
  override push(view: unknown): StrictContext {
    return new StrictContext(view, this);
  }

  override lookup(name: string): unknown {
    if (name === '.') return this.view;
    const [first = '', ...rest] = name.split('.');
    // As specified: the first part selects the scope, the rest must be in it.
    let value = this.scopes().find((scope) => own(scope, first) !== undefined);
    for (const key of [first, ...rest]) {
      if (value === null) return null;
      value = own(value, key);
    }
    return value;
  }

  /** The views from the innermost section outwards. */
  scopes(): unknown[] {
    const outer = this.parent instanceof StrictContext ? this.parent.scopes() : [];
    return [this.view, ...outer];
  }
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, key)) return Reflect.get(value, key);
  // A list may be too short for `labels.0`; that is not an error of the template.
  return Array.isArray(value) && /^\d+$/.test(key) ? null : undefined;
}

class StrictWriter extends mustache.Writer {
  readonly #source: Source;

  constructor(source: Source) {
    super();
    this.#source = source;
  }

  override renderSection(...args: Parameters<mustache.Writer['renderSection']>): string {
    this.#known('section', args[0], args[1]);
    return super.renderSection(...args);
  }

  override renderInverted(...args: Parameters<mustache.Writer['renderInverted']>): string {
    this.#known('section', args[0], args[1]);
    return super.renderInverted(...args);
  }

  override renderPartial([, name = '', start]: string[]): never {
    throw unknown(placeAt(this.#source, Number(start)), 'partial', name);
  }

  override unescapedValue(token: string[], context: mustache.Context): string {
    return printed(this.#known('variable', token, context));
  }

  override escapedValue(token: string[], context: mustache.Context): string {
    return this.unescapedValue(token, context);
  }

  #known(kind: 'variable' | 'section', token: string[], context: mustache.Context): unknown {
    const [, name = '', start] = token;
    const value: unknown = context.lookup(name);
    if (value !== undefined) return value;
    const names = context instanceof StrictContext ? context.scopes().flatMap(namesIn) : [];
    throw unknown(placeAt(this.#source, Number(start)), kind, name, names);
  }
}
