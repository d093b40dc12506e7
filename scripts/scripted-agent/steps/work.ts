import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, relative, resolve} from 'node:path';
import type {CodexStage, Performers} from '../script/stage.ts';
import {commandExecution, type FileChange, fileChange, type Item} from '../server/items.ts';
import type {Terminal} from '../server/thread.ts';
import type {Turn} from '../server/turn.ts';
import {Shell, type ShellEnd} from '../shell.ts';
import {askForCommand, askForEdit, isAccepted} from './approval.ts';

/** What the agent really does in its workspace, asked for or not. */
export const work: Performers<'run' | 'edit', CodexStage> = {
  async run({run: command, ask, background, tokens}, {turn}) {
    const item = commandExecution(turn.thread.nextItemId('call'), command, turn.thread.record.cwd);
    turn.owe(tokens);
    const decision = ask ? await askForCommand(turn, item, command, ask) : null;
    if (decision !== null && !isAccepted(decision)) {
      return refuse(turn, item, decision);
    }
    const ended = execute(turn, item, command, decision !== null);
    if (background) return {decision};
    const {exitCode, output} = await turn.until(ended);
    turn.pay();
    return {decision, exitCode, output};
  },

  async edit({edit: path, text, ask, tokens}, {turn}) {
    const change = changeOf(resolve(turn.thread.record.cwd, path), text);
    const item = fileChange(turn.thread.nextItemId('call'), [change]);
    turn.owe(tokens);
    turn.start(item);
    const decision = ask ? await askForEdit(turn, item, change.path, ask) : null;
    if (decision !== null && !isAccepted(decision)) return refuse(turn, item, decision);
    mkdirSync(dirname(change.path), {recursive: true});
    writeFileSync(change.path, text);
    turn.finish(item, {status: 'completed'});
    turn.say('turn/diff/updated', {diff: gitDiff(turn, change)});
    turn.pay();
    return {decision};
  },
};

/** A declined step leaves the turn running, a cancelled one ends it; an error is no decision at all. */
function refuse(turn: Turn, item: Item, decision: unknown) {
  turn.finish(item, {status: decision === 'error' ? 'failed' : 'declined'});
  if (decision === 'cancel') turn.end('interrupted');
  else turn.pay();
  return {decision};
}

/** Starts the command; its item is completed when it ends, be that long after the turn. */
function execute(turn: Turn, asked: Item, command: string, isShown: boolean): Promise<ShellEnd> {
  const {thread} = turn;
  const {cwd} = thread.record;
  const env = {
    ...process.env,
    CODEX_THREAD_ID: thread.id,
    CODEX_SESSION_ID: thread.id,
    CODEX_TOOL_CALL_ID: asked.id,
  };
  const shell = new Shell(command, cwd, env, (delta) => {
    turn.say('item/commandExecution/outputDelta', {itemId: asked.id, delta});
  });
  const processId = shell.pid === undefined ? null : String(shell.pid);
  const item: Item = {...asked, processId, source: 'unifiedExecStartup'};
  if (!isShown) turn.start(item);
  const terminal: Terminal = {shell, itemId: item.id, command, cwd};
  thread.terminals.add(terminal);
  return shell.ended.then((end) => {
    thread.terminals.delete(terminal);
    turn.finish(item, {
      status: end.exitCode === 0 ? 'completed' : 'failed',
      aggregatedOutput: end.output === '' ? null : end.output,
      exitCode: end.exitCode,
      durationMs: Date.now() - item.startedAtMs,
    });
    return end;
  });
}

function changeOf(path: string, text: string): FileChange {
  if (!existsSync(path)) return {path, kind: {type: 'add'}, diff: text};
  const before = readFileSync(path, 'utf8');
  return {path, kind: {type: 'update', move_path: null}, diff: hunk(before, text)};
}

/** One hunk that replaces the whole file: correct, and enough for display. */
function hunk(before: string, after: string): string {
  const removed = linesOf(before);
  const added = linesOf(after);
  const head = `@@ -1,${removed.length} +1,${added.length} @@`;
  const lines = [head, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return `${lines.join('\n')}\n`;
}

function gitDiff(turn: Turn, {path, kind, diff}: FileChange): string {
  const name = relative(turn.thread.record.cwd, path);
  const body = kind.type === 'add' ? hunk('', diff) : diff;
  const from = kind.type === 'add' ? '/dev/null' : `a/${name}`;
  return `diff --git a/${name} b/${name}\n--- ${from}\n+++ b/${name}\n${body}`;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
