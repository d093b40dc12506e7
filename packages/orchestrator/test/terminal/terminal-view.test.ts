import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {ending} from '../../../../test/rig/ending.ts';
import {skip} from '../../../../test/rig/terminal.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const CHILD = ['--import', 'tsx', here('viewing-child.ts')];
const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** A terminal of 12 × 70 that becomes one of 8 × 50 as soon as the first frame is there. */
async function watched(mode: string): Promise<{output: string; code: number}> {
  const terminal = spawn('python3', [
    ...[here('in-a-terminal.py'), '12', '70', process.execPath, ...CHILD, mode],
  ]);
  await using _end = ending(terminal);
  let output = '';
  let isResized = false;
  terminal.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
    if (isResized || !output.includes('nearly full')) return;
    isResized = true;
    terminal.stdin.write('8 50\n');
  });
  const [code] = await once(terminal, 'close');
  return {output, code};
}

/** What stands on each line after the frames of `output`. */
function screenOf(output: string): string[] {
  const screen: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is escape sequences that are read
  for (const [, row, text] of output.matchAll(/\u001b\[(\d+);1H([^\u001b]*)\u001b\[K/g)) {
    screen[Number(row) - 1] = (text ?? '').trimEnd();
  }
  return screen;
}

test('on a terminal the facts fill the screen, follow its size, and the screen is given back', {
  skip,
}, async () => {
  const {output, code} = await watched('quietly');
  assert.equal(code, 0);
  assert.ok(output.startsWith(ENTER));
  const [first, second] = output.split('\u001b[2J').slice(1).map(screenOf);
  assert.equal(first?.length, 12);
  assert.match(
    first?.join('\n') ?? '',
    /問題-1 +working +turn 1[\s\S]*log: the disk is nearly full$/,
  );
  assert.equal(second?.length, 8);
  assert.match(second?.join('\n') ?? '', /問題-1[\s\S]*log: the disk is nearly full$/);
  const end = output.indexOf(LEAVE);
  assert.ok(end > 0, 'the screen was not given back');
  assert.match(output.slice(end), /back/);
});

test('a crash gives the screen back before it is told', {skip}, async () => {
  const {output, code} = await watched('crash');
  assert.notEqual(code, 0);
  const end = output.indexOf(LEAVE);
  assert.ok(end > 0, 'the screen was not given back');
  assert.match(output.slice(end), /it broke/);
});

test('a pipe gets no frame', () => {
  const output = execFileSync(process.execPath, CHILD, {encoding: 'utf8'});
  assert.equal(output, 'no terminal\n');
});
