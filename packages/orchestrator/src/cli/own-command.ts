import {realpathSync} from 'node:fs';
import {delimiter, join} from 'node:path';

const NAME = 'symphony-supervisor';

/**
 * How to start this program in another terminal: by its name if it is in PATH, else by its path.
 */
export function ownCommand(
  script = process.argv[1] ?? '',
  path = process.env.PATH ?? '',
  node = process.execPath,
): string {
  const own = resolved(script);
  // npm and npx add these to PATH for their own children only.
  const folders = path.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const isFound = folders.some((folder) => own !== null && resolved(join(folder, NAME)) === own);
  return isFound ? NAME : [node, script].map(quoted).join(' ');
}

function resolved(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function quoted(text: string): string {
  return /^[\w@:/.+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
