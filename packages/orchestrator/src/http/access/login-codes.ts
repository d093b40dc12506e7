import {keyedDigest, newSecret} from './secret.ts';

/** Time to copy a link from a terminal to a browser. */
export const CODE_VALID_MS = 10 * 60_000;
/** 128 bits, so that the link fits a line of a terminal. */
const CODE_BYTES = 16;
/** Bounds memory if a script requests codes in a loop; the oldest code is evicted. */
const MOST_CODES = 20;

/** Codes that sign a browser in, each once and within ten minutes. A restart voids them. */
export class LoginCodes {
  readonly #now: () => number;
  /** A key of this process: memory holds digests, not the codes. */
  readonly #key = newSecret();
  /** Digest to expiry time. */
  readonly #codes = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  make(): string {
    const code = newSecret(CODE_BYTES);
    this.#codes.set(this.#digest(code), this.#now() + CODE_VALID_MS);
    for (const digest of this.#codes.keys()) {
      if (this.#codes.size <= MOST_CODES) break;
      this.#codes.delete(digest);
    }
    return code;
  }

  isValid(code: string): boolean {
    return (this.#codes.get(this.#digest(code)) ?? Number.NEGATIVE_INFINITY) > this.#now();
  }

  /** Whether the code was valid; it is used up by this call. */
  redeem(code: string): boolean {
    const isValid = this.isValid(code);
    this.#codes.delete(this.#digest(code));
    return isValid;
  }

  clear(): void {
    this.#codes.clear();
  }

  #digest(code: string): string {
    return keyedDigest(this.#key, code);
  }
}
