const CODES = {
  bold: '1',
  faint: '2',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  magenta: '35',
  reverse: '7',
} as const;

export type Style = keyof typeof CODES;

/** Only for text that was cleaned and measured before. */
export type Paint = (style: Style, text: string) => string;

export function painter(hasColour: boolean): Paint {
  if (!hasColour) return (_style, text) => text;
  return (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
}
