import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {mistakeIn} from './commands.ts';
import {NPM_SCRIPTS} from './facts.ts';
import {ROOT} from './markdown.ts';
import {isRoute} from './routes.ts';

type Check = (words: readonly string[]) => string | null;

const fine: Check = () => null;

/** Which commands a page may show, and what is asked of each. */
const COMMANDS: Readonly<Record<string, Check>> = {
  'symphony-supervisor': (words) => mistakeIn('symphony-supervisor', words),
  'symphony-runner': (words) => mistakeIn('symphony-runner', words),
  npx: ([program = '', ...words]) =>
    program.startsWith('symphony-') ? checkCommand([program, ...words]) : null,
  npm: checkNpm,
  node: ([file = '']) =>
    file.startsWith('-') || existsSync(join(ROOT, file)) ? null : `there is no file ${file}`,
  curl: checkCurl,
  ...Object.fromEntries(
    // Other people's programs: what they take is theirs to say.
    ['cat', 'cd', 'codex', 'cp', 'echo', 'export', 'git', 'jq', 'journalctl', 'mkdir', 'mv', 'pm2']
      .concat(['sh', 'sqlite3', 'ssh', 'sudo', 'systemctl', 'tar', 'umask'])
      .map((name) => [name, fine]),
  ),
};

function checkNpm([verb = '', script = '']: readonly string[]): string | null {
  if (['ci', 'install', 'pack', 'i', 'uninstall'].includes(verb)) return null;
  const name = verb === 'run' ? script : verb;
  return NPM_SCRIPTS.includes(name) ? null : `there is no npm script "${name}"`;
}

function checkCurl(words: readonly string[]): string | null {
  const url = words.find((word) => word.startsWith('http://127.0.0.1'));
  if (url === undefined) return null;
  const given = words.indexOf('-X');
  const method = given < 0 ? 'GET' : (words[given + 1] ?? 'GET');
  const {pathname} = new URL(url);
  return isRoute(method, pathname) ? null : `there is no route ${method} ${pathname}`;
}

export function checkCommand([name = '', ...words]: readonly string[]): string | null {
  const check = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return check === undefined ? `nobody checks the command "${name}"` : check(words);
}

/** What is wrong with the commands of a script. */
export function mistakesInScript(script: string): readonly string[] {
  return commandsIn(script).flatMap((words) => checkCommand(words) ?? []);
}

const PIECES =
  /"(?:\\.|[^"\\])*"|'[^']*'|\$\([^)]*\)|\\\n|&&|\|\||[|;\n]|#[^\n]*|(?:[^\s"'|;&$]|\$(?!\())+|[ \t]+|&/g;

/** Each command's words, without variables before it, quotes, redirections and comments. */
export function commandsIn(script: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let word: string | null = null;
  const endWord = () => {
    const command = commands.at(-1);
    const isAssignment = command?.length === 0 && /^\w+=/.test(word ?? '');
    if (word !== null && !isAssignment && !/^[0-9]?>/.test(word)) command?.push(word);
    word = null;
  };
  for (const [piece] of script.matchAll(PIECES)) {
    if (/^(&&|\|\||[|;\n&])$/.test(piece)) {
      endWord();
      commands.push([]);
    } else if (/^[ \t]+$/.test(piece) || piece === '\\\n') endWord();
    else if (piece.startsWith('#') && word === null) endWord();
    else word = (word ?? '') + piece.replace(/^(["'])([\s\S]*)\1$/, '$2');
  }
  endWord();
  return commands.filter((command) => command.length > 0);
}
