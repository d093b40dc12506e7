import {setTimeout as elapse} from 'node:timers/promises';
import type {CodexStage, Performers, Stage} from '../script/stage.ts';
import {agentMessage, commandExecution} from '../server/items.ts';

/** Small enough to stay cheap in memory, large enough for few system calls. */
const CHUNK_CHARS = 64 * 1024;
/** A paced flood wakes up this seldom: fifty agents at 200 a second are 1 000 wake-ups, not 10 000. */
const TICK_MS = 50;

type AnyCodexStage = Stage<CodexStage['host'], CodexStage['turn']>;

/** Messages that no decent server would send, in or out of a turn. */
export const noise: Performers<'notify' | 'huge', AnyCodexStage> = {
  notify({notify: method, params = {}}, {host, turn}) {
    if (turn === null) host.wire.notify(method, params);
    else turn.say(method, params);
  },

  /** One valid line of that many bytes. It is never whole in our memory. */
  async huge({huge: bytes}, {host, turn}) {
    const ids = {threadId: turn?.thread.id ?? '', turnId: turn?.id ?? '', itemId: 'msg_huge'};
    const params = JSON.stringify({...ids, delta: ''}).slice(0, -2);
    const head = `{"method":"item/agentMessage/delta","params":${params}`;
    const tail = `"},"emittedAtMs":${Date.now()}}\n`;
    await host.output.writeLong(around(head, bytes - head.length - tail.length, tail));
  },
};

/** The same in bytes of the test's own. */
export const bytes: Performers<'raw' | 'stderr', Stage> = {
  raw({raw: text, newline = true}, {host}) {
    host.output.write(newline ? `${text}\n` : text);
  },

  stderr({stderr: text}) {
    process.stderr.write(`${text}\n`);
  },
};

export const flood: Performers<'flood', CodexStage> = {
  /** The line is made once; per event there is nothing left to do but to join strings. */
  async flood({flood: count, per_second, size = 16, of = 'message'}, {turn, host}) {
    const {thread, steering} = turn;
    const item =
      of === 'message'
        ? agentMessage(thread.nextItemId('msg'))
        : commandExecution(thread.nextItemId('call'), 'yes', thread.record.cwd);
    const method =
      of === 'message' ? 'item/agentMessage/delta' : 'item/commandExecution/outputDelta';
    const delta = `${'x'.repeat(Math.max(0, size - 1))} `;
    const params = {threadId: thread.id, turnId: turn.id, itemId: item.id, delta};
    const head = `{"method":"${method}","params":${JSON.stringify(params)},"emittedAtMs":`;

    turn.start(item);
    const beganAtMs = performance.now();
    for (let sent = 0; sent < count && !turn.isOver && !steering.isOpen; ) {
      const due = per_second
        ? Math.floor(((performance.now() - beganAtMs) * per_second) / 1000) + 1
        : sent + Math.ceil(CHUNK_CHARS / (head.length + 16));
      const batch = Math.min(due, count) - sent;
      if (batch > 0) host.output.write(`${head}${Date.now()}}\n`.repeat(batch));
      sent += batch;
      await host.output.drained();
      if (sent < count) await elapse(per_second ? Math.max(TICK_MS, 1000 / per_second) : 0);
    }
    if (turn.isOver || steering.isOpen) return;
    turn.finish(item, of === 'message' ? {text: delta} : {status: 'completed', exitCode: 0});
  },
};

export function* around(head: string, filling: number, tail: string): Iterable<string> {
  yield head;
  const chunk = 'x'.repeat(CHUNK_CHARS);
  for (let left = filling; left > 0; left -= CHUNK_CHARS) {
    yield left < CHUNK_CHARS ? chunk.slice(0, left) : chunk;
  }
  yield tail;
}
