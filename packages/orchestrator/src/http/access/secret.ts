import {createHash, createHmac, randomBytes, timingSafeEqual} from 'node:crypto';

/** 256 bits cannot be guessed. */
const BYTES = 32;

export function newSecret(bytes = BYTES): string {
  return randomBytes(bytes).toString('base64url');
}

/** Compares in constant time, whatever the length. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(sha256(given), sha256(secret));
}

/** A keyed digest that is stored in place of a secret. */
export function keyedDigest(key: string, secret: string): string {
  return createHmac('sha256', key).update(secret).digest('base64url');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
