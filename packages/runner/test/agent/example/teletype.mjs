// The program of the example: a coding agent that reads and writes JSON lines, and does what it was told beforehand.
//
//   us:  {"open": id | null} → {"opened": id | null}, null: there is no such conversation
//        {"turn": text} → {"began": nth}, … , {"ended": null | reason};  {"stop": true};  {"result": …}
//   it:  {"says": text}, {"used": tokens}, {"calls": tool, "with": args}, {"asks": question}

import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

const [home = '', turnsJson = '[]', mode = ''] = process.argv.slice(2);
const turns = JSON.parse(turnsJson);
const conversations = join(home, 'teletype');
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

let nth = 0;
let waiting = [];

const DEEDS = {
  say: ({text}) => write({says: text}),
  use: ({tokens}) => write({used: tokens}),
  call: async ({tool, args}) => {
    write({calls: tool, with: args});
    await new Promise((resolve) => waiting.push(resolve));
  },
  ask: ({question}) => write({asks: question}),
  fail: ({reason}) => reason,
  hang: () => new Promise((resolve) => waiting.push(() => resolve('stopped'))),
  die: () => process.exit(3),
};

async function takeTurn() {
  write({began: ++nth});
  for (const deed of turns[nth - 1] ?? []) {
    const end = await DEEDS[deed.is](deed);
    if (typeof end === 'string') return write({ended: end});
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
    const resolved = waiting;
    waiting = [];
    for (const resolve of resolved) resolve();
  }
}
