import {loose} from '@symphony-supervisor/protocol/transcript';
import type {ProcessOptions} from '../agent.ts';
import {nameSlowProfile} from '../slow-profile.ts';
import {DeltaLines, type Streamed} from '../wire/delta-lines.ts';
import {type Answer, JsonRpcPeer} from '../wire/peer.ts';
import {AgentProcess} from '../wire/process.ts';
import {type AgentFacts, initialize} from './handshake.ts';

export interface ConnectionHandlers {
  readonly onRequest: (method: string, params: unknown) => Promise<Answer>;
  /** Any but those with a piece of streamed text. */
  readonly onNotification: (method: string, params: Record<string, unknown>, line: string) => void;
  readonly onStreamed: (streamed: Streamed) => void;
  /** A line that could not be read, or was too long to be. */
  readonly onMalformed: (what: string) => void;
  /** After all that came in one piece. */
  readonly onHeard: () => void;
}

const CHUNKS: readonly unknown[] = ['agent_message_chunk', 'agent_thought_chunk'];

/** An agent as a process that speaks JSON-RPC 2.0, one message a line. */
export class AcpConnection {
  readonly peer: JsonRpcPeer;
  readonly process: AgentProcess;
  readonly #deltas: DeltaLines;
  readonly #transcript: ProcessOptions['transcript'];
  #skipped: number | null = null;

  constructor(command: string, options: ProcessOptions, on: ConnectionHandlers) {
    const {transcript} = options;
    this.#transcript = transcript;
    this.#deltas = new DeltaLines('text', on.onStreamed);
    this.peer = new JsonRpcPeer({
      envelope: {jsonrpc: '2.0'},
      onRequest: on.onRequest,
      onNotification: (method, params, line) => {
        if (this.#skips(method)) return;
        const piece = pieceOf(method, params);
        if (piece !== null) this.#deltas.learn(method, params, piece, line);
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
        if (this.#deltas.takes(line)) return;
        this.#deltas.flush(); // in the order in which it was said
        this.peer.receive(line);
      },
      onTooLong: (bytes) => {
        transcript.event('malformed', {bytes});
        on.onMalformed(`a line of ${bytes} bytes, which is too long`);
      },
      onHeard: () => {
        const wasTextOnly = this.#deltas.endBatch();
        on.onHeard();
        return wasTextOnly;
      },
      onGone: (failure) => this.peer.close(failure),
    });
  }

  async initialize(limitMs: number): Promise<AgentFacts> {
    try {
      return await initialize(this.peer, limitMs);
    } catch (error) {
      throw nameSlowProfile(error, this.process.profile, limitMs);
    }
  }

  /** What is told of a conversation meanwhile happened in an earlier run, and is in its transcript. */
  async withoutReplay<T>(request: () => Promise<T>): Promise<T> {
    this.#skipped = 0;
    try {
      return await request();
    } finally {
      if (this.#skipped > 0) this.#transcript.event('replay_skipped', {updates: this.#skipped});
      this.#skipped = null;
    }
  }

  #skips(method: string): boolean {
    if (this.#skipped === null || method !== 'session/update') return false;
    this.#skipped++;
    return true;
  }
}

/** The text of a piece of a message or of a thought. */
function pieceOf(method: string, params: Record<string, unknown>): string | null {
  if (method !== 'session/update') return null;
  const {sessionUpdate, content} = loose(params.update);
  if (!CHUNKS.includes(sessionUpdate)) return null;
  const {type, text} = loose(content);
  return type === 'text' && typeof text === 'string' ? text : null;
}
