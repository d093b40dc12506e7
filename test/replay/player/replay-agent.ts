import {readFileSync} from 'node:fs';
import {connect} from 'node:net';
import {createInterface} from 'node:readline';
import type {Exit, Session} from '../recording.ts';
import {Play} from './play.ts';

// Stands in for `codex app-server`: plays a session of a recording to whoever has started it.
//   node replay-agent.js SESSION.json CONTROL.sock
// To the test, over the socket, one JSON line each: {awaits: method}, and at the end {report}.

/** How often a Codex without network repeats that it has none; it really waits 5 s and more. */
const RETRY_NOTICE_MS = 50;

const [sessionPath = '', controlPath = ''] = process.argv.slice(2);
const session = JSON.parse(readFileSync(sessionPath, 'utf8')) as Session;
const control = connect(controlPath);
let lastLine = '{}';
let retrying: NodeJS.Timeout | undefined;

const play = new Play(session, {
  say: (line) => {
    lastLine = line;
    process.stdout.write(`${line}\n`);
  },
  complain: (text) => process.stderr.write(text),
  awaits: (method) => {
    control.write(`${JSON.stringify({awaits: method})}\n`);
    if (method === 'turn/interrupt' && isRetryNotice(lastLine)) retryForEver(lastLine);
  },
  exit: (exit) => leave(exit),
});

const input = createInterface({input: process.stdin});
input.on('line', (line) => {
  clearInterval(retrying);
  play.hear(line);
});
input.on('close', () => leave({code: 0, signal: null}));

/** The recorded client lost its patience here. Ours must do so by itself, however often it is told. */
function retryForEver(notice: string): void {
  clearInterval(retrying);
  retrying = setInterval(() => process.stdout.write(`${notice}\n`), RETRY_NOTICE_MS);
}

function isRetryNotice(line: string): boolean {
  return /"willRetry":\s*true/.test(line);
}

function leave({code, signal}: Exit): void {
  clearInterval(retrying);
  input.removeAllListeners();
  control.end(`${JSON.stringify({report: play.report})}\n`, () => {
    process.stdout.write('', () => {
      if (signal === null) process.exit(code);
      process.kill(process.pid, signal);
    });
  });
}
