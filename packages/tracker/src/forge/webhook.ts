import type {ForgeWebhookVerdict, WebhookSubject} from './forge.ts';

// What all forges share in reading a delivery. A payload is data of a stranger until its signature
// is checked, and even then its fields may be missing.

export type Payload = Readonly<Record<string, unknown>>;

export function refusedDelivery(why: string): ForgeWebhookVerdict {
  return {is: 'refused', why};
}

export function ignoredDelivery(why: string): ForgeWebhookVerdict {
  return {is: 'ignored', why};
}

export function acceptedDelivery({
  numbers = [],
  shas = [],
  branches = [],
}: Partial<Record<keyof WebhookSubject, readonly unknown[]>>): ForgeWebhookVerdict {
  const about = {
    numbers: numbers.filter((number): number is number => Number.isSafeInteger(number)),
    shas: shas.filter((sha): sha is string => typeof sha === 'string' && SHA.test(sha)),
    branches: branches.filter((name): name is string => typeof name === 'string' && name !== ''),
  };
  const isAboutNothing = Object.values(about).every((list) => list.length === 0);
  return isAboutNothing ? ignoredDelivery('about no pull request') : {is: 'accepted', about};
}

/** The branch of a push; undefined for a tag. */
export function branchOf(ref: unknown): string | undefined {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(typeof ref === 'string' ? ref : '') ?? [];
  return branch;
}

/** The value at a path of keys; undefined where a step is missing. */
export function at(payload: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Payload)[key]
        : undefined,
    payload,
  );
}

/** Object names of SHA-1 and SHA-256. */
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
