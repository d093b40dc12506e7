import {mkdirSync, readFileSync, renameSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Script} from 'node:vm';

// The entry of a runner that a supervisor has forked: runs the bundle beside it. What V8 compiles of that
// is the same in every runner, so one leaves it for the next: a third of the start of each.
//
// Arguments: the folder for compiled code; `keep` from an attempt, which has used the most of it.

const CODE = join(__dirname, 'runner-code.cjs');

const [folder, keep] = process.argv.slice(2);
const kept = folder === undefined ? null : join(folder, nameOf(CODE));
const script = compile(kept === null ? undefined : read(kept));
// A function, like any CommonJS module that Node wraps: the build has seen to that.
script.runInThisContext()(require, {exports: {}});

// Neither true nor false: there was none.
if (kept !== null && keep === 'keep' && script.cachedDataRejected !== false) {
  process.on('exit', (code) => {
    if (code === 0) write(kept, script.createCachedData());
  });
}

/** In a function of its own, so that nobody holds on to what is read. */
function compile(cachedData: Buffer | undefined): Script {
  const source = readFileSync(CODE, 'utf8');
  const options = {filename: CODE, ...(cachedData === undefined ? {} : {cachedData})};
  return new Script(source, options);
}

/** V8 itself tells sources apart by their length alone. */
function nameOf(path: string): string {
  const {size, mtimeMs} = statSync(path);
  return `runner-${size}-${mtimeMs}`;
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // the first one
  }
}

/** Whole or not at all, and never a reason to fail: the next one can do without it. */
function write(path: string, data: Buffer): void {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    writeFileSync(draft, data, {mode: 0o600});
    renameSync(draft, path);
  } catch {}
}
