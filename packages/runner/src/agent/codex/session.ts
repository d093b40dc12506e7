import {type AgentJobOf, RunFailure, type ThreadRecord} from '@symphony-supervisor/protocol';
import {lineOf, streamOf} from '@symphony-supervisor/protocol/codex-lines';
import {loose} from '@symphony-supervisor/protocol/transcript';
import {asText} from '../../transcript/as-text.ts';
import type {AgentSession, SessionOptions} from '../agent.ts';
import {LiveTurn} from '../live-turn.ts';
import type {Streamed} from '../wire/delta-lines.ts';
import type {Answer} from '../wire/peer.ts';
import {within} from '../within.ts';
import {AppServer} from './app-server.ts';
import {requestFailure, turnFailure} from './failures.ts';
import {takeNotice} from './notices.ts';
import {turnSandboxPolicy} from './policies.ts';
import {answerRequest} from './requests.ts';
import {resumeThread, startThread, threadName} from './thread.ts';
import {type Turn, TurnNotice, TurnResult} from './wire/messages.ts';

/** A turn that was told to stop has this long to say so. */
const INTERRUPT_LIMIT_MS = 2000;
/** Once it is answered the turn ends at once. An agent that only says so has its time after its stdin is closed. */
const INTERRUPTED_LIMIT_MS = 100;
/** Codex's own limit for the input of a turn. */
const MAX_INPUT_CHARACTERS = 1_048_576;

/** One agent process with one conversation. */
export class CodexSession implements AgentSession {
  readonly #codex: AgentJobOf<'codex'>;
  readonly #options: SessionOptions;
  readonly #server: AppServer;
  #threadId = '';
  /** As Codex said when the conversation was opened. */
  #model: string | null = null;
  #turn: LiveTurn<Turn> | null = null;
  #question: string | null = null;
  readonly #endedTurns = new Set<string>();
  #hasShownLife = false;

  /** Starts the process; nothing has been said yet. */
  constructor(codex: AgentJobOf<'codex'>, options: SessionOptions) {
    this.#codex = codex;
    this.#options = options;
    this.#server = new AppServer(codex.command, options, {
      onRequest: (method, params) => this.#onRequest(method, params),
      onNotification: (method, params, line) => this.#onNotification(method, params, line),
      onStreamed: (streamed) => this.#onStreamed(streamed),
      onMalformed: (what) => options.progress.malformed(what),
      onHeard: () => this.#onHeard(),
    });
    const {pid, gone} = this.#server.process;
    if (pid !== null) options.onProcess(pid);
    void gone.then((failure) => this.#turn?.break(failure));
  }

  get threadId(): string {
    return this.#threadId;
  }

  async start(recorded: ThreadRecord | null): Promise<{resumed: boolean}> {
    await this.#server.initialize(this.#codex.read_timeout_ms);
    const {job, progress} = this.#options;
    const request = this.#request.bind(this);
    if (recorded !== null) {
      // Before the request: the conversation's total is replayed as soon as it is loaded.
      this.#follow(recorded.id);
      progress.meter.startFrom(recorded.id, recorded.usage);
      const resumed = await resumeThread(request, this.#codex, this.#options, recorded.id);
      if (!('refusal' in resumed)) {
        this.#model = resumed.model;
        return {resumed: true};
      }
      const reason = `the conversation cannot be resumed, a new one begins: ${resumed.refusal}`;
      this.#options.onNote(reason);
    }
    const {id: threadId, model} = await startThread(request, this.#codex, this.#options);
    this.#model = model;
    this.#follow(threadId);
    await this.#bestEffort('thread/name/set', {threadId, name: threadName(job.issue)});
    return {resumed: false};
  }

  async takeTurn(text: string, onStarted: (turnId: string) => void): Promise<RunFailure | null> {
    if (text.length > MAX_INPUT_CHARACTERS) {
      const message = `the prompt has ${text.length} characters; the agent takes ${MAX_INPUT_CHARACTERS}`;
      throw new RunFailure('template_render_error', message);
    }
    const codex = this.#codex;
    const turn = new LiveTurn<Turn>(codex.turn_timeout_ms, (id) => {
      this.#options.progress.note('session_started');
      onStarted(id);
    });
    this.#turn = turn;
    try {
      const result = await this.#request('turn/start', {
        threadId: this.#threadId,
        input: [{type: 'text', text}],
        cwd: this.#options.cwd,
        approvalPolicy: codex.approval_policy,
        sandboxPolicy: turnSandboxPolicy(codex, this.#options.gitDirs) ?? undefined,
        model: codex.model ?? undefined,
        effort: codex.effort ?? undefined,
      });
      turn.is(TurnResult.parse(result).turn.id);
    } catch (error) {
      turn.break(requestFailure(error));
    }
    const end = await turn.ended;
    if (this.#question !== null) return new RunFailure('turn_input_required', this.#question);
    return end.is === 'broken' ? end.failure : this.#judge(end.result);
  }

  async interrupt(): Promise<void> {
    const turn = this.#turn;
    if (turn === null || turn.isOver) return;
    // A turn that has not started yet refuses to be interrupted, and then runs on.
    await within(this.#interruptLimit(), turn.started);
    if (turn.id !== null && !turn.isOver) {
      this.#options.transcript.line({ev: 'notice', level: 'warn', text: 'the turn is interrupted'});
      await this.#bestEffort('turn/interrupt', {threadId: this.#threadId, turnId: turn.id});
      await within(INTERRUPTED_LIMIT_MS, turn.ended);
    }
    await this.#bestEffort('thread/backgroundTerminals/clean', {threadId: this.#threadId});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
    await this.#server.process.end();
  }

  #judge(turn: Turn): RunFailure | null {
    const {progress} = this.#options;
    if (turn.status === 'completed') {
      progress.note('turn_completed');
      return null;
    }
    if (turn.status === 'interrupted') {
      progress.note('turn_cancelled');
      return new RunFailure('turn_cancelled', 'the turn was interrupted, and not by us');
    }
    const failure = turnFailure(turn.error, progress.rateLimits);
    progress.note('turn_failed', failure.message);
    return failure;
  }

  #follow(threadId: string): void {
    this.#threadId = threadId;
    this.#options.progress.follow(threadId);
    // Codex marks whatever a conversation starts, even where a policy strips our own mark.
    this.#options.processes.alsoMarkedBy(`CODEX_THREAD_ID=${threadId}`);
  }

  #request(method: string, params: object): Promise<unknown> {
    return this.#server.peer.request(method, params, this.#codex.read_timeout_ms);
  }

  /** For what is good to have: an answer that does not come, or says no, changes nothing. */
  async #bestEffort(method: string, params: object): Promise<void> {
    await this.#server.peer.request(method, params, this.#interruptLimit()).catch(() => {});
  }

  #interruptLimit(): number {
    return this.#options.stop.stepLimit(INTERRUPT_LIMIT_MS);
  }

  async #onRequest(method: string, params: unknown): Promise<Answer> {
    const {job, progress, callTool} = this.#options;
    const answer = answerRequest(method, params, {
      approvesCommands: this.#codex.approval_policy === 'never',
      toolNames: new Set(job.tools.map(({name}) => name)),
      callTool,
    });
    const turn = this.#turn;
    const answered = await (turn === null ? answer : turn.whileWaitingForUs(() => answer));
    if (answered.is === 'auto-approved') {
      progress.note('approval_auto_approved', answered.what);
      this.#options.transcript.line({
        ev: 'notice',
        level: 'info',
        text: `approved: ${answered.what}`,
      });
    }
    if (answered.is === 'unsupported-tool') progress.note('unsupported_tool_call', answered.tool);
    if (answered.is === 'question') {
      this.#show(method, params);
      this.#asks(answered.question);
    }
    return answered.answer;
  }

  /** The first question counts; what is asked while the turn is being interrupted does not. */
  #asks(question: string): void {
    this.#question ??= question;
    this.#options.progress.note('turn_input_required', question);
    // After the answer, which is sent when this returns.
    setImmediate(() => {
      void this.interrupt().then(() => {
        this.#turn?.break(new RunFailure('turn_input_required', question));
      });
    });
  }

  #onNotification(method: string, params: Record<string, unknown>, line: string): void {
    const {progress, transcript} = this.#options;
    transcript.message('<-', line, endedItem(method, params));
    this.#show(method, params);
    if (takeNotice(method, params, progress, this.#model)) this.#hasShownLife = true;
    if (method === 'turn/started' || method === 'turn/completed') this.#onTurn(method, params);
  }

  /** Writes what a message says into the transcript, for people. */
  #show(method: string, params: unknown): void {
    const line = lineOf(method, loose(params));
    if (line === null) return;
    this.#options.transcript.line(line.ev === 'usage' ? {...line, model: this.#model} : line);
  }

  #onStreamed({method, params, text, pieces}: Streamed): void {
    const {progress, transcript} = this.#options;
    const item = streamOf(method);
    if (item === null) transcript.delta(method, params, text);
    else transcript.streamed(item, asText(params.itemId), text);
    progress.streamed(text, pieces);
    this.#hasShownLife = true;
  }

  /** Once for all that came together: a timer costs more than what is done with a piece of text. */
  #onHeard(): void {
    if (this.#hasShownLife) this.#turn?.showsLife();
    this.#hasShownLife = false;
  }

  #onTurn(method: string, params: Record<string, unknown>): void {
    const notice = TurnNotice.safeParse(params);
    // Helpers of the agent have threads and turns of their own.
    if (!notice.success || notice.data.threadId !== this.#threadId) return;
    const {turn} = notice.data;
    // Said twice, an old end must not pass for that of the next turn.
    if (this.#endedTurns.has(turn.id)) return;
    if (method === 'turn/started') this.#turn?.hasStarted(turn.id);
    else {
      this.#endedTurns.add(turn.id);
      this.#turn?.complete(turn.id, turn);
    }
  }
}

function endedItem(method: string, params: Record<string, unknown>): unknown {
  if (method !== 'item/completed') return undefined;
  const {item} = params;
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}
