// A cookie that no script can read, and a key that no other port of this host can read: both are sent, and
// neither is accepted alone.

const KEY = 'symphony.page-key';

export function pageKeyHeader(): Record<string, string> {
  const key = localStorage.getItem(KEY);
  return key === null ? {} : {'x-symphony-page-key': key};
}

/** The one-time code of a link, or of pasted text; null if there is none. */
export function codeIn(text: string): string | null {
  const [, inLink] = /#login=([\w-]+)$/.exec(text.trim()) ?? [];
  const [alone] = /^[\w-]{22}$/.exec(text.trim()) ?? [];
  return inLink ?? alone ?? null;
}

/** null: this browser is signed in. Otherwise the reason. */
export async function signIn(code: string): Promise<string | null> {
  try {
    const response = await fetch('api/v1/session', {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({code}),
    });
    const answer = (await response.json()) as {page_key?: string; error?: {message: string}};
    if (!response.ok || answer.page_key === undefined) {
      return answer.error?.message ?? `the supervisor answered ${response.status}`;
    }
    localStorage.setItem(KEY, answer.page_key);
    return null;
  } catch {
    return 'the supervisor cannot be reached';
  }
}

/** A page that was opened by a link signs in. The code is removed from the address bar and the history first. */
export async function signInByAddress(): Promise<boolean> {
  const code = codeIn(location.hash);
  if (code === null) return false;
  history.replaceState(null, '', '#/');
  // A used link does not matter in a signed-in browser; in another, the page shows the reason.
  return (await signIn(code)) === null;
}
