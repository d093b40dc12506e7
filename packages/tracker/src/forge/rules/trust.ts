import {authorRule} from '../../authors.ts';
import type {Person} from '../pull-request.ts';

export interface TrustSettings {
  /** Associations, logins or `*`; null: everyone who may write to the repository. */
  readonly allowed: readonly string[] | null;
}

export type IsTrusted = (person: Person) => boolean;

/**
 * Whose reviews and comments may start an agent. Never our own account, which would answer itself.
 * A bot only by its name: any stranger can make many of them talk.
 */
export function trustRule({allowed}: TrustSettings): IsTrusted {
  const entries = allowed?.map((entry) => entry.trim().replace(/^@/, '').toLowerCase()) ?? null;
  const isAllowed = authorRule(entries, false);
  return (person) => {
    if (person.isSelf) return false;
    if (person.isBot === true) return entries?.includes(person.login.toLowerCase()) ?? false;
    return isAllowed(person);
  };
}
