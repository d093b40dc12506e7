import {setTimeout as elapse} from 'node:timers/promises';
import type {Performers} from '../../script/stage.ts';
import {around} from '../../steps/noise.ts';
import type {AnyClaudeStage, ClaudeStage} from '../repertoire.ts';

/** Large enough for few system calls. */
const CHUNK_CHARS = 64 * 1024;
const TICK_MS = 50;

/** Messages that no decent server would send, in or out of a turn. */
export const noise: Performers<'notify' | 'huge', AnyClaudeStage> = {
  notify({notify: type, params = {}}, {host}) {
    host.say({type, ...params});
  },

  /** One valid line of that many bytes. It is never whole in our memory. */
  async huge({huge: bytes}, {host}) {
    const head =
      '{"type":"assistant","message":{"id":"msg_huge","content":[{"type":"text","text":"';
    const tail = `"}]},"parent_tool_use_id":null,"session_id":"${host.sessionId}"}\n`;
    await host.output.writeLong(around(head, bytes - head.length - tail.length, tail));
  },
};

export const flood: Performers<'flood', ClaudeStage> = {
  /** Pieces of streamed text, which the original sends to clients that ask for them. */
  async flood({flood: count, per_second, size = 16}, {turn, host}) {
    const delta = {type: 'text_delta', text: `${'x'.repeat(Math.max(0, size - 1))} `};
    const event = {type: 'content_block_delta', index: 0, delta};
    const message = {type: 'stream_event', event, parent_tool_use_id: null};
    const line = `${JSON.stringify({...message, session_id: host.sessionId})}\n`;
    const beganAtMs = performance.now();
    for (let sent = 0; sent < count && !turn.isOver && !turn.steering.isOpen; ) {
      const due = per_second
        ? Math.floor(((performance.now() - beganAtMs) * per_second) / 1000) + 1
        : sent + Math.ceil(CHUNK_CHARS / line.length);
      const batch = Math.min(due, count) - sent;
      if (batch > 0) host.output.write(line.repeat(batch));
      sent += batch;
      await host.output.drained();
      if (sent < count) await elapse(per_second ? Math.max(TICK_MS, 1000 / per_second) : 0);
    }
  },
};
