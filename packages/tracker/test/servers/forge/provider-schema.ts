import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {Ajv, type ValidateFunction} from 'ajv';

type Schema = Readonly<Record<string, unknown>>;

/** The request and the answers of one route, by `request` and status. */
type Operation = Readonly<Record<string, Schema>> & {readonly query?: readonly string[]};

/** Go and Ruby send null for what is absent, and their descriptions do not say so. */
export interface Leniency {
  readonly nullIsAbsent?: boolean;
  /** Says `string` of booleans and numbers, and one record where a list of them is sent. */
  readonly onlyNames?: boolean;
}

/** What a provider says about its own interface: requests and answers are held against it. */
export class ProviderSchema {
  readonly #operations: Readonly<Record<string, Operation>>;
  readonly #leniency: Leniency;
  readonly #ajv = new Ajv({strict: false, allErrors: true});
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(file: string, leniency: Leniency = {}) {
    const text = readFileSync(new URL(`schemas/${file}`, import.meta.url), 'utf8');
    this.#operations = JSON.parse(text).operations;
    this.#leniency = leniency;
  }

  /** Throws what is wrong. A route that the description does not have is not checked. */
  check(route: string, part: string, value: unknown): void {
    const schema = this.#operations[route]?.[part];
    if (schema === undefined) return;
    const key = `${route} ${part}`;
    const validate = this.#compiled.get(key) ?? this.#ajv.compile(loosen(schema, this.#leniency));
    this.#compiled.set(key, validate);
    assert.ok(validate(value), `${key}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  /** A parameter that a provider does not know is ignored without a word, and widens the answer. */
  checkQuery(route: string, query: URLSearchParams): void {
    const known = this.#operations[route]?.query;
    if (known === undefined) return;
    const names = [...query.keys()].map((name) => name.replace(/\[\]$/, ''));
    // Paging is common to all lists of a provider, and left out of the description of some.
    const always = ['page', 'per_page', 'limit'];
    const unknown = names.filter((name) => !known.includes(name) && !always.includes(name));
    assert.deepEqual(unknown, [], `${route} does not know these parameters`);
  }
}

function loosen(schema: Schema, leniency: Leniency): Schema {
  const {nullIsAbsent = false, onlyNames = false} = leniency;
  if (!nullIsAbsent && !onlyNames) return schema;
  const {type, properties, items, ...rest} = schema;
  if (onlyNames && type === 'string') return {};
  const inner = {
    ...rest,
    ...(type === undefined ? {} : {type}),
    ...(properties === undefined ? {} : {properties: loosenAll(properties as Schema, leniency)}),
    ...(items === undefined ? {} : {items: loosen(items as Schema, leniency)}),
  };
  if (type === undefined) return inner;
  const isList = onlyNames && type === 'object' ? [{type: 'array', items: inner}] : [];
  return {anyOf: [inner, {type: 'null'}, ...isList]};
}

function loosenAll(properties: Schema, leniency: Leniency): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, loosen(schema as Schema, leniency)]),
  );
}
