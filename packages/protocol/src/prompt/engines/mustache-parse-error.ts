/**
 * What is wrong with a template that Mustache could not parse, and where. Mustache's own messages
 * name the position where the parser gave up, often the end of the text; people look for the
 * beginning.
 */
export function parseErrorIn(text: string, error: unknown): {offset: number; what: string} {
  const message = error instanceof Error ? error.message : String(error);
  const section = /^(Unclosed|Unopened) section "([\s\S]*)" at (\d+)$/.exec(message);
  if (section !== null) {
    const [, problem, name = '', offset] = section;
    if (problem === 'Unopened') {
      return {offset: Number(offset), what: `section "${name}" is closed, but was not opened`};
    }
    return {
      offset: openSectionAt(text.slice(0, Number(offset)), name),
      what: `section "${name}" is not closed`,
    };
  }
  if (message.startsWith('Unclosed tag')) {
    return {offset: openTagAt(text), what: 'a tag is not closed'};
  }
  return {offset: Math.max(0, text.search(/\{\{\s*=/)), what: message.toLowerCase()};
}

/** Start of the section that is still open at the end of the text. */
function openSectionAt(text: string, name: string): number {
  const pattern = new RegExp(
    `(?:\\{\\{\\s*)?[#^/]\\s*${name.replace(/[^\w\s]/g, '\\$&')}(?![\\w.])`,
    'g',
  );
  let closed = 0;
  for (const {0: tag, index} of [...text.matchAll(pattern)].reverse()) {
    if (tag.includes('/')) closed += 1;
    else if (closed === 0) return index;
    else closed -= 1;
  }
  return text.length;
}

/** Start of the tag without an end. */
function openTagAt(text: string): number {
  let [open, close] = ['{{', '}}'];
  let at = text.indexOf(open);
  while (at >= 0) {
    const inside = at + open.length;
    const end = text[inside] === '{' ? `}${close}` : close;
    const closed = text.indexOf(end, inside);
    if (closed < 0) return at;
    const delimiters = /^=\s*(\S+)\s+(\S+)\s*=$/.exec(text.slice(inside, closed));
    if (delimiters !== null) [, open = open, close = close] = delimiters;
    at = text.indexOf(open, closed + end.length);
  }
  return text.length;
}
