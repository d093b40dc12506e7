/** Anyone may open an issue on a public repository, but not anyone may start an agent. */
const TRUSTED = ['owner', 'member', 'collaborator'];
const EVERYONE = '*';

export interface Author {
  readonly login: string | null;
  /** The forge's or tracker's word for the author's relation to the repository. */
  readonly association: string | null;
}

export type IsAllowed = (author: Author) => boolean;

/** Entries are associations, logins, or `*`; null: decided by whether the repository is private. */
export function authorRule(allowed: readonly string[] | null, isPrivate: boolean): IsAllowed {
  const entries = new Set(allowed ?? (isPrivate ? [EVERYONE] : TRUSTED));
  if (entries.has(EVERYONE)) return () => true;
  return ({login, association}) => {
    const word = association?.toLowerCase() ?? '';
    if (TRUSTED.includes(word) && entries.has(word)) return true;
    const name = login?.toLowerCase() ?? '';
    // A login `owner` is not the association `owner`.
    return name !== '' && !TRUSTED.includes(name) && entries.has(name);
  };
}
