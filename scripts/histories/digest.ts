import {createHash} from 'node:crypto';
import type {Renames} from './renames.ts';

/**
 * Digests of values in the old vocabulary. The order of properties is no difference; that of maps, sets
 * and lists is one, because decisions walk over them. States share most of their objects with the states
 * before them, so each object is digested once.
 */
export class Digests {
  readonly #known = new WeakMap<object, string>();
  readonly #oldKeys: ReadonlyMap<string, string>;
  readonly #oldValues: ReadonlyMap<string, string>;
  readonly #added: ReadonlySet<string>;

  constructor({keys, values, added}: Renames) {
    this.#oldKeys = new Map(Object.entries(keys).map(([old, now]) => [now, old]));
    this.#oldValues = new Map(Object.entries(values));
    this.#added = new Set(added);
  }

  of(value: unknown): string {
    if (typeof value === 'string') return JSON.stringify(this.#oldValues.get(value) ?? value);
    if (value === null || typeof value !== 'object') return String(value);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const digest = createHash('sha1').update(this.#textOf(value)).digest('base64url').slice(0, 12);
    this.#known.set(value, digest);
    return digest;
  }

  #textOf(value: object): string {
    if (Array.isArray(value)) return `[${value.map((one) => this.of(one)).join()}]`;
    if (value instanceof Set) return `set ${[...value].map((one) => this.of(one)).join()}`;
    if (value instanceof Map) {
      return `map ${[...value].map(([key, one]) => `${this.of(key)}:${this.of(one)}`).join()}`;
    }
    return this.entriesOf(value)
      .map(([key, one]) => `${key}:${this.of(one)}`)
      .sort()
      .join();
  }

  /** Properties by their old names, without those that are new. */
  entriesOf(value: object): (readonly [string, unknown])[] {
    return Object.entries(value)
      .filter(([key, one]) => one !== undefined && !this.#added.has(key))
      .map(([key, one]) => [this.#oldKeys.get(key) ?? key, one] as const);
  }
}
