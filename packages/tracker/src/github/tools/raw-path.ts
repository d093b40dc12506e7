/** Decoding rounds; a path that still changes after these is refused. */
const DECODINGS = 3;

/** Why a path is refused; null if it stays inside the repository. */
export function pathComplaint(path: string, repoPath: string, isRead: boolean): string | null {
  if (!/^\/[\x21-\x7e]*$/.test(path) || /[\\#]/.test(path)) {
    return `path must begin with ${repoPath} and be plain: no address of a host, no blanks, \\ or #`;
  }
  const [place = ''] = path.split('?');
  for (const form of decodings(place)) {
    if (form === null) return 'path is not encoded properly';
    if (form.includes('//') || form.split(/[/\\]/).some((part) => part === '.' || part === '..')) {
      return 'path must not have ".", ".." or empty parts, encoded or not';
    }
    if (!isInside(form, repoPath)) return `path must stay inside ${repoPath}`;
  }
  // A repository itself is renamed, made public and deleted there.
  const isWhole = place.toLowerCase().replace(/\/$/, '') === repoPath.toLowerCase();
  return isWhole && !isRead ? 'the repository itself can only be read' : null;
}

function isInside(place: string, repoPath: string): boolean {
  const lower = place.toLowerCase();
  return lower === repoPath.toLowerCase() || lower.startsWith(`${repoPath.toLowerCase()}/`);
}

/** The path as given and as any proxy might decode it. null: it cannot be decoded. */
function decodings(place: string): (string | null)[] {
  const forms: (string | null)[] = [place];
  for (let last = place; forms.length <= DECODINGS; ) {
    const next = decoded(last);
    if (next === last) return forms;
    forms.push(next);
    if (next === null) return forms;
    last = next;
  }
  return [...forms, null];
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
