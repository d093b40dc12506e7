import {TrackerProblem} from '../answer.ts';

/** What a header can hold; a key with a line break in it was copied wrongly. */
const HEADER_TEXT = /^[\x21-\x7e]+( [\x21-\x7e]+)?$/;
/** A shorter one would be found in every other word. */
const MIN_LENGTH = 6;
const HIDDEN = '***';

/** The `authorization` of one request, and the eraser of its traces. */
export class Credential {
  readonly header: string;
  readonly #forms: readonly string[];

  constructor(header: string) {
    if (!HEADER_TEXT.test(header)) {
      const message = 'the key contains blanks or other invalid characters; copy it again';
      throw new TrackerProblem({code: 'invalid_tracker_config', message});
    }
    this.header = header;
    const secret = header.slice(header.indexOf(' ') + 1);
    const forms = secret.length < MIN_LENGTH ? [] : [secret, JSON.stringify(secret).slice(1, -1)];
    this.#forms = [...new Set(forms)];
  }

  /** Masks the credential in answers: servers echo requests, and proxies print them on error pages. */
  hide(text: string): string {
    return this.#forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
  }
}
