/** The forges take some more; a longer text is cut, and the marker stays. */
const MAX_CHARACTERS = 60_000;

/** The text of a comment with its key, which people do not see. */
export function withMarker(text: string, key: string): string {
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n\n…` : text;
  return `${cut.trimEnd()}\n\n${markerOf(key)}`;
}

/** Only our own comments count: anyone can copy a marker. */
export function hasMarker(body: unknown, key: string): boolean {
  return typeof body === 'string' && body.trimEnd().endsWith(markerOf(key));
}

/** The key is encoded: `-->` or a line break would end the hidden part. */
function markerOf(key: string): string {
  return `<!-- symphony-supervisor:${encodeURIComponent(key).replaceAll('-', '%2D')} -->`;
}
