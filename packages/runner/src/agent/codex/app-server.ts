import type {ProcessOptions} from '../agent.ts';
import {nameSlowProfile} from '../slow-profile.ts';
import {DeltaLines, type Streamed} from '../wire/delta-lines.ts';
import {type Answer, JsonRpcPeer} from '../wire/peer.ts';
import {AgentProcess} from '../wire/process.ts';
import {initialize} from './handshake.ts';

export interface ServerHandlers {
  readonly onRequest: (method: string, params: unknown) => Promise<Answer>;
  /** Any but those with a piece of streamed text. */
  readonly onNotification: (method: string, params: Record<string, unknown>, line: string) => void;
  readonly onStreamed: (streamed: Streamed) => void;
  /** A line that could not be read, or was too long to be. */
  readonly onMalformed: (what: string) => void;
  /** After all that came in one piece. */
  readonly onHeard: () => void;
}

/** `codex app-server`: a process that speaks JSON-RPC. */
export class AppServer {
  readonly peer: JsonRpcPeer;
  readonly process: AgentProcess;

  constructor(command: string, options: ProcessOptions, on: ServerHandlers) {
    const {transcript} = options;
    const deltas = new DeltaLines('delta', on.onStreamed);
    this.peer = new JsonRpcPeer({
      onRequest: on.onRequest,
      onNotification: (method, params, line) => {
        const {delta} = params;
        if (typeof delta === 'string') deltas.learn(method, params, delta, line);
        else on.onNotification(method, params, line);
      },
      write: (line) => this.process.write(line),
      onMalformed: (line) => {
        if (line.trim() === '') return;
        transcript.event('malformed', {line: line.slice(0, 1000)});
        on.onMalformed(`a line that is no message: ${line.slice(0, 200)}`);
      },
      onLine: (direction, line) => transcript.message(direction, line),
    });
    this.process = new AgentProcess(command, options, {
      onLine: (line) => {
        if (deltas.takes(line)) return;
        deltas.flush(); // in the order in which it was said
        this.peer.receive(line);
      },
      onTooLong: (bytes) => {
        transcript.event('malformed', {bytes});
        on.onMalformed(`a line of ${bytes} bytes, which is too long`);
      },
      onHeard: () => {
        const wasTextOnly = deltas.endBatch();
        on.onHeard();
        return wasTextOnly;
      },
      onGone: (failure) => this.peer.close(failure),
    });
  }

  /** The handshake. Returns what the agent calls itself. */
  async initialize(limitMs: number): Promise<string> {
    try {
      return await initialize(this.peer, limitMs);
    } catch (error) {
      throw nameSlowProfile(error, this.process.profile, limitMs);
    }
  }
}
