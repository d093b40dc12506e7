import {createHmac, timingSafeEqual} from 'node:crypto';

/** A webhook delivery. The body is kept as bytes because the signature covers them. */
export interface WebhookDelivery {
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export type WebhookVerdict =
  /** The tracker reports a change: poll at once. */
  | {readonly is: 'accepted'}
  /** Authentic, but about nothing that scheduling depends on. */
  | {readonly is: 'ignored'; readonly why: string}
  /** Not proven to come from the tracker, or not recent. */
  | {readonly is: 'refused'; readonly why: string};

export function refusedWebhook(why: string): WebhookVerdict {
  return {is: 'refused', why};
}

/** Whether the signature is the HMAC-SHA256 of the body in hex. Compared in constant time. */
export function isSignedWith(secret: string, body: Uint8Array, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}

/** The content of a signed body; null if it is not a JSON object. */
export function readWebhookBody(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isMap ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
