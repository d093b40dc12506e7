import {createHash, createHmac, randomBytes, timingSafeEqual} from 'node:crypto';

/** 256 bits: cannot be guessed, however many tries there are. */
const BYTES = 32;

export function newSecret(bytes = BYTES): string {
  return randomBytes(bytes).toString('base64url');
}

/** Takes as long for a near miss as for any other, whatever its length. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(sha256(given), sha256(secret));
}

/** What can be kept in place of a secret; of no use without the key. */
export function keyedDigest(key: string, secret: string): string {
  return createHmac('sha256', key).update(secret).digest('base64url');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
