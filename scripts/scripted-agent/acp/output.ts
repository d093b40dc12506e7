import type {Writable} from 'node:stream';
import {fieldsOf} from '../json.ts';
import {Output} from '../output.ts';
import type {AcpWire} from './wire.ts';

/** A flood is written as complete lines of the protocol of Codex. */
const CODEX_LINE = '{"method":"item/';

export class TranslatedOutput extends Output {
  readonly #wire: AcpWire;

  constructor(out: Writable, wire: AcpWire) {
    super(out);
    this.#wire = wire;
  }

  override write(text: string): void {
    if (!text.startsWith(CODEX_LINE)) return super.write(text);
    for (const line of text.trimEnd().split('\n')) {
      const {method, params} = fieldsOf(JSON.parse(line));
      this.#wire.notify(String(method), fieldsOf(params));
    }
  }
}
