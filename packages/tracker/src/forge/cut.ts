/** Of a comment or review: enough for any remark, and no way to fill a prompt. */
const MAX_BODY = 8_000;

export function cutBody(text: string): string {
  return text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}…` : text;
}
