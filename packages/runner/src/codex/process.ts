import {LineSplitter, RunFailure, Tail} from '@symphony-supervisor/protocol';
import type {Environment} from '../job/environment.ts';
import type {StopSignal} from '../job/stop-signal.ts';
import {describeExit, type Exit, type RunProcesses, type Step} from '../processes/run-processes.ts';
import type {Transcript} from '../transcript/transcript.ts';
import {DeltaLines, type Streamed} from './delta-lines.ts';
import {initialize, nameSlowProfile} from './handshake.ts';
import {type Answer, JsonRpcPeer} from './peer.ts';
import {restFrom} from './rest.ts';

/** For the failure message, should it end badly. */
const STDERR_TAIL_BYTES = 2048;
/** Codex ends in well under a second when its input does; one that does not is asked by signal. */
const STDIN_CLOSE_GRACE_MS = 2000;
const SIGTERM_GRACE_MS = 2000;
/** A last message may still be in the pipe when the process is already gone. */
const DRAIN_MS = 500;
const COMMAND_NOT_FOUND = [126, 127];
/**
 * To wake up costs more than to hear a few pieces of text. While an agent sends nothing else it is listened to the
 * less often, the more of them come together, and still more often than anybody is shown what it says; whatever
 * follows them waits no longer than this.
 */
const REST_MS_PER_PIECE = 8;
const SHORTEST_REST_MS = 30;
const LONGEST_REST_MS = 80;
/** Whoever says more than that in such a time has much to say, and is not made to wait. */
const MUCH_TEXT_BYTES = 16 * 1024;

export interface ProcessHandlers {
  readonly onRequest: (method: string, params: unknown) => Promise<Answer>;
  /** Any but those with a piece of streamed text. */
  readonly onNotification: (method: string, params: Record<string, unknown>, line: string) => void;
  readonly onStreamed: (streamed: Streamed) => void;
  /** A line that could not be read, or was too long to be. */
  readonly onMalformed: (what: string) => void;
  /** After all that came in one piece. */
  readonly onHeard: () => void;
}

export interface ProcessOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly processes: RunProcesses;
  readonly transcript: Transcript;
  readonly stop: StopSignal;
}

/** The agent as a process: lines out, lines in, and its end. */
export class CodexProcess {
  readonly peer: JsonRpcPeer;
  /** Settles when the process is gone and all that it said has been heard. */
  readonly gone: Promise<RunFailure>;
  readonly #step: Step;
  readonly #processes: RunProcesses;
  readonly #stop: StopSignal;
  readonly #stderr = new Tail(STDERR_TAIL_BYTES);

  constructor(options: ProcessOptions, on: ProcessHandlers) {
    const {transcript, processes} = options;
    this.#processes = processes;
    this.#stop = options.stop;
    this.#step = processes.start({...options, shell: 'bash', script: options.command});
    const {child} = this.#step;
    transcript.event('agent_started', {pid: child.pid ?? null, command: options.command});

    const deltas = new DeltaLines(on.onStreamed);
    this.peer = new JsonRpcPeer({
      onRequest: on.onRequest,
      onNotification: (method, params, line) => {
        const {delta} = params;
        if (typeof delta === 'string') deltas.learn(method, params, delta, line);
        else on.onNotification(method, params, line);
      },
      write: (line) => child.stdin.write(line),
      onMalformed: (line) => {
        if (line.trim() === '') return;
        transcript.event('malformed', {line: line.slice(0, 1000)});
        on.onMalformed(`a line that is no message: ${line.slice(0, 200)}`);
      },
      onLine: (direction, line) => transcript.message(direction, line),
    });
    let isTextOnly = true;
    const lines = new LineSplitter(
      (line) => {
        if (deltas.takes(line)) return;
        isTextOnly = false;
        deltas.flush(); // in the order in which it was said
        this.peer.receive(line);
      },
      (bytes) => {
        transcript.event('malformed', {bytes});
        on.onMalformed(`a line of ${bytes} bytes, which is too long`);
      },
    );
    child.stdout.on('data', (chunk: Buffer) => {
      isTextOnly = true;
      lines.push(chunk);
      const pieces = deltas.flush();
      on.onHeard();
      if (pieces > 0 && isTextOnly && chunk.length < MUCH_TEXT_BYTES) {
        const restMs = Math.max(pieces * REST_MS_PER_PIECE, SHORTEST_REST_MS);
        restFrom(child.stdout, Math.min(restMs, LONGEST_REST_MS));
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr.push(chunk);
      transcript.output('stderr', chunk);
    });
    this.gone = this.#awaitEnd(transcript, () => {
      lines.end();
      deltas.flush();
    });
  }

  get pid(): number | null {
    return this.#step.child.pid ?? null;
  }

  /** The handshake. Returns what the agent calls itself. */
  async initialize(limitMs: number): Promise<string> {
    try {
      return await initialize(this.peer, limitMs);
    } catch (error) {
      throw nameSlowProfile(error, this.#step.profile, limitMs);
    }
  }

  /** Asks by closing its input, then by SIGTERM, then forces; with it goes all that it started. */
  async end(): Promise<void> {
    const {child} = this.#step;
    child.stdin.end();
    await within(this.#stop.stepLimit(STDIN_CLOSE_GRACE_MS), this.#step.exited);
    await this.#processes.endStep(this.#step, this.#stop.stepLimit(SIGTERM_GRACE_MS));
    // Whoever escaped may hold the pipes open; nobody reads them any more.
    child.stdout.destroy();
    child.stderr.destroy();
  }

  async #awaitEnd(transcript: Transcript, hearTheRest: () => void): Promise<RunFailure> {
    const exit = await this.#step.exited;
    // Not for ever: a grandchild may hold the pipe open long after the agent has gone.
    await within(DRAIN_MS, streamEnd(this.#step));
    hearTheRest();
    const failure = this.#failureOf(exit);
    transcript.event('agent_exited', {exit: describeExit(exit)});
    this.peer.close(failure);
    return failure;
  }

  #failureOf(exit: Exit): RunFailure {
    const said = this.#stderr.text().trim();
    const tail = said === '' ? '' : `: ${said}`;
    const isMissing =
      exit.is === 'not-started' || (exit.is === 'exit' && COMMAND_NOT_FOUND.includes(exit.code));
    return isMissing
      ? new RunFailure('codex_not_found', `the agent command could not be started${tail}`)
      : new RunFailure('port_exit', `the agent process ended with ${describeExit(exit)}${tail}`);
  }
}

function streamEnd(step: Step): Promise<unknown> {
  const {stdout} = step.child;
  return new Promise((resolve) => {
    if (stdout.readableEnded || stdout.destroyed) resolve(undefined);
    stdout.once('close', resolve);
  });
}

export async function within(limitMs: number, awaited: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([awaited, limit]);
  clearTimeout(timer);
}
