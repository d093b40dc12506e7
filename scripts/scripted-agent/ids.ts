/** UUIDv7, as the real server makes them: ids of one process sort by the time of their making. */
export function uuidV7(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const variant = (8 + Math.floor(Math.random() * 4)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

// Uniqueness is all that is asked of these; loading node:crypto would cost more than the handshake.
function hex(digits: number): string {
  let text = '';
  while (text.length < digits) text += Math.floor(Math.random() * 16).toString(16);
  return text;
}
