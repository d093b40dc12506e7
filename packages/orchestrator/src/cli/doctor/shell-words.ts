/** A simple command of a script. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
}

export interface ShellWord {
  /** Without its quotes. */
  readonly text: string;
  /** The shell would substitute it. */
  readonly isExpanded: boolean;
}

/** These contain text that looks like commands. */
const NOT_UNDERSTOOD = /<<|\bcase\b/;

/**
 * The simple commands of a shell script, to see what it needs. Not a shell: null where it would
 * have to guess.
 */
export function commandsIn(script: string): ShellCommand[] | null {
  if (NOT_UNDERSTOOD.test(script)) return null;
  const commands: ShellCommand[] = [];
  let words: ShellWord[] = [];
  let word: {text: string; isExpanded: boolean} | null = null;
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push({words});
    words = [];
  };
  const add = (text: string, isExpanded = false) => {
    word = {text: (word?.text ?? '') + text, isExpanded: isExpanded || (word?.isExpanded ?? false)};
  };
  for (let at = 0; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === "'" || char === '"') {
      const end = closingQuote(script, at);
      if (end === null) return null;
      const quoted = script.slice(at + 1, end);
      add(quoted, char === '"' && /[$`]/.test(quoted));
      at = end;
    } else if (char === '\\') {
      at++;
      if (script.charAt(at) !== '\n') add(script.charAt(at));
    } else if (char === '#' && word === null) {
      const end = script.indexOf('\n', at);
      at = end < 0 ? script.length : end - 1;
    } else if (/[ \t]/.test(char)) endWord();
    else if (/[\n;&|(){}]/.test(char) && !isInExpansion(char, word)) endCommand();
    else add(char, /[$`*?~]/.test(char));
  }
  endCommand();
  return commands;
}

/** `${name}` is a word; its braces end nothing. */
function isInExpansion(char: string, word: {readonly text: string} | null): boolean {
  if (char === '{') return word?.text.endsWith('$') ?? false;
  return char === '}' && (word?.text.includes('${') ?? false);
}

function closingQuote(script: string, open: number): number | null {
  const quote = script.charAt(open);
  for (let at = open + 1; at < script.length; at++) {
    if (quote === '"' && script.charAt(at) === '\\') at++;
    else if (script.charAt(at) === quote) return at;
  }
  return null;
}
