// The program of the example: a coding agent that reads and writes JSON lines, and does what it was told beforehand.
//
//   us:  {"open": id | null} → {"opened": id | null}, null: there is no such conversation
//        {"turn": text} → {"began": nth}, … , {"ended": null | {"by": …, "reason": …}};  {"stop": true};  {"result": …}
//   it:  {"says": text, "used": tokens}, {"calls": tool, "with": args}, {"asks": question}

import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

const [home = '', turnsJson = '[]', mode = ''] = process.argv.slice(2);
const turns = JSON.parse(turnsJson);
const conversations = join(home, 'teletype');
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const STOPPED = {by: 'stop', reason: 'stopped'};

let nth = 0;
let waiting = [];
const untilTold = () => new Promise((resolve) => waiting.push(resolve));

const DEEDS = {
  say: ({text, tokens}) => write({says: text, used: tokens}),
  run: async ({command, asks}) => {
    if (asks) return ask(`May I run: ${command}`);
    const shell = spawn('bash', ['-c', command], {stdio: 'ignore', detached: true});
    const ended = new Promise((resolve) => shell.once('exit', () => resolve(null)));
    const told = untilTold().then(() => process.kill(-shell.pid, 'SIGKILL') && STOPPED);
    return Promise.race([ended, told]);
  },
  call: ({tool, args}) => {
    write({calls: tool, with: args});
    return untilTold().then(() => null);
  },
  ask: ({question}) => ask(question),
  fail: ({by, reason}) => ({by, reason}),
  hang: () => untilTold().then(() => STOPPED),
  flood: ({messages}) => process.stdout.write('{"says":"drop","used":0}\n'.repeat(messages)),
  garbage: () =>
    process.stdout.write('this is no JSON\n{"half":\n[1]\nnull\n{"began": "a word"}\n'),
  huge: ({bytes}) => write({says: 'x'.repeat(bytes)}),
};

function ask(question) {
  write({asks: question});
  return untilTold().then(() => STOPPED);
}

async function takeTurn() {
  write({began: ++nth});
  for (const deed of turns[nth - 1] ?? []) {
    const end = await DEEDS[deed.is](deed);
    if (end?.by !== undefined) return write({ended: end});
  }
  write({ended: null});
}

function open(id) {
  if (id !== null && !existsSync(join(conversations, id))) return write({opened: null});
  const opened = id ?? crypto.randomUUID();
  mkdirSync(conversations, {recursive: true});
  writeFileSync(join(conversations, opened), '');
  return write({opened});
}

for await (const line of createInterface({input: process.stdin})) {
  const {hello, turn, open: id, stop, result} = JSON.parse(line);
  if (hello) write(mode === 'refuse' ? {refused: 'another version'} : {version: '1.0'});
  else if (id !== undefined) open(id);
  else if (turn !== undefined) void takeTurn();
  else if (stop || result !== undefined) {
    const told = waiting;
    waiting = [];
    for (const resolve of told) resolve();
  }
}
process.exit(0); // whatever it is waiting for
