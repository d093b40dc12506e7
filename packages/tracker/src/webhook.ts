import {createHmac, timingSafeEqual} from 'node:crypto';

/** A delivery as it came in. The body as bytes: a signature is about these, not about what they mean. */
export interface WebhookDelivery {
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export type WebhookVerdict =
  /** The tracker says that something changed: look at once. */
  | {readonly is: 'accepted'}
  /** It is the tracker, but about nothing that we schedule by. */
  | {readonly is: 'ignored'; readonly why: string}
  /** Not proven to be the tracker, or not to be recent. */
  | {readonly is: 'refused'; readonly why: string};

export function refusedWebhook(why: string): WebhookVerdict {
  return {is: 'refused', why};
}

/** Whether it is the HMAC-SHA256 of the body, in hex. Takes as long for a near miss as for any other. */
export function isSignedWith(secret: string, body: Uint8Array, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}

/** What a signed body says; null if it is not a JSON object. */
export function readWebhookBody(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isMap ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
