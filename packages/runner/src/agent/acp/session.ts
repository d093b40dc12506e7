import {type AgentJobOf, RunFailure, type ThreadRecord} from '@symphony-supervisor/protocol';
import {loose, text} from '@symphony-supervisor/protocol/transcript';
import {freshId} from '../../processes/fresh-id.ts';
import type {AgentSession, SessionOptions} from '../agent.ts';
import {LiveTurn} from '../live-turn.ts';
import type {ToolServer} from '../mcp/http-server.ts';
import type {Streamed} from '../wire/delta-lines.ts';
import type {Answer} from '../wire/peer.ts';
import {within} from '../within.ts';
import {AcpConnection} from './connection.ts';
import {promptFailure, verdictOf} from './failures.ts';
import {provesLife, UpdateReader} from './lines/updates.ts';
import {configure, type Opened, type Opening, openNew, openRecorded} from './opening.ts';
import type {Decision} from './permissions.ts';
import {presetOf} from './presets.ts';
import {refuseForeignCode} from './repository.ts';
import {answerRequest} from './requests.ts';
import {listenForCalls, type McpServerEntry, ownToolNames, serverEntry} from './tools.ts';

/** A turn that was told to stop has this long to say so. In the middle of a model's answer agents took two seconds. */
const CANCEL_LIMIT_MS = 5000;

/** One agent process with one conversation, and the tool server that goes with it. */
export class AcpSession implements AgentSession {
  readonly #job: AgentJobOf<'acp'>;
  readonly #options: SessionOptions;
  readonly #updates: UpdateReader;
  #connection: AcpConnection | null = null;
  #tools: ToolServer | null = null;
  #gone: RunFailure | null = null;
  #threadId = '';
  #turn: LiveTurn<RunFailure | null> | null = null;
  /** Settles when the agent has answered the prompt, even if we gave up on the turn before. */
  #answered: Promise<unknown> = Promise.resolve();
  #question: string | null = null;
  /** What we refused last, as long as the agent has not gone on since. */
  #refused: string | null = null;
  #isCancelled = false;
  #hasShownLife = false;
  #hasNotedTools = false;
  #isDisposed = false;

  /** The process is started by `start`: first the repository is looked at. */
  constructor(job: AgentJobOf<'acp'>, options: SessionOptions) {
    this.#job = job;
    this.#options = options;
    this.#updates = new UpdateReader(options);
  }

  get threadId(): string {
    return this.#threadId;
  }

  async start(recorded: ThreadRecord | null): Promise<{resumed: boolean}> {
    const job = this.#job;
    const {cwd, onNote, progress} = this.#options;
    await refuseForeignCode(job, cwd);
    const connection = this.#connect();
    const facts = await connection.initialize(job.start_timeout_ms);
    const mcpServers = await this.#serveTools(facts.reachesHttp);
    const opening: Opening = {job, connection, cwd, mcpServers};
    let opened: Opened | null = null;
    if (recorded !== null) {
      const resumed = await openRecorded(opening, facts, recorded.id);
      if (!('refusal' in resumed)) opened = resumed;
      else onNote(`the conversation cannot be resumed, a new one begins: ${resumed.refusal}`);
    }
    const isResumed = opened !== null;
    opened ??= await openNew(opening);
    await configure(opening, opened);
    this.#threadId = opened.sessionId;
    progress.follow(this.#threadId);
    return {resumed: isResumed};
  }

  async takeTurn(prompt: string, onStarted: (turnId: string) => void): Promise<RunFailure | null> {
    const connection = this.#connection;
    if (connection === null) throw new RunFailure('response_error', 'no conversation is open');
    // Nothing begins with an agent that ended between two turns.
    if (this.#gone !== null) return this.#told(this.#gone);
    const turn = new LiveTurn<RunFailure | null>(this.#job.turn_timeout_ms, (id) => {
      this.#options.progress.note('session_started');
      onStarted(id);
    });
    this.#turn = turn;
    this.#refused = null;
    this.#isCancelled = false;
    const params = {sessionId: this.#threadId, prompt: [{type: 'text', text: prompt}]};
    const answer = connection.peer.request('session/prompt', params, null);
    // The protocol has no word for the beginning of a turn, nor an id.
    const id = freshId();
    turn.hasStarted(id);
    this.#answered = answer.then(
      (result) => turn.complete(id, verdictOf(result, this.#refusedLast())),
      (error: unknown) => this.#breaks(turn, id, error),
    );
    const end = await turn.ended;
    this.#updates.turnEnded();
    this.#noteToolsAndCost();
    if (this.#question !== null) return new RunFailure('turn_input_required', this.#question);
    return this.#told(end.is === 'broken' ? end.failure : end.result);
  }

  async interrupt(): Promise<void> {
    const turn = this.#turn;
    if (turn === null || turn.isOver) return;
    this.#options.transcript.line({ev: 'notice', level: 'warn', text: 'the turn is interrupted'});
    this.#isCancelled = true;
    this.#connection?.peer.notify('session/cancel', {sessionId: this.#threadId});
    await within(this.#options.stop.stepLimit(CANCEL_LIMIT_MS), this.#answered);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.interrupt();
    await this.#connection?.process.end();
    await this.#tools?.[Symbol.asyncDispose]();
  }

  #connect(): AcpConnection {
    // A run may be stopped while the repository is looked at; a process started now would never be ended.
    if (this.#isDisposed) throw new RunFailure('response_error', 'the session has ended');
    const options = this.#options;
    const env = {...options.env, ...presetOf(this.#job).environment(this.#job)};
    const connection = new AcpConnection(
      this.#job.command,
      {...options, env},
      {
        onRequest: (method, params) => this.#onRequest(method, params),
        onNotification: (method, params, line) => this.#onNotification(method, params, line),
        onStreamed: (streamed) => this.#onStreamed(streamed),
        onMalformed: (what) => options.progress.malformed(what),
        onHeard: () => this.#onHeard(),
      },
    );
    this.#connection = connection;
    const {pid, gone} = connection.process;
    if (pid !== null) options.onProcess(pid);
    void gone.then((failure) => {
      this.#gone = failure;
      this.#turn?.break(failure);
    });
    return connection;
  }

  /** The entries of a request that opens a conversation. */
  async #serveTools(reachesHttp: boolean): Promise<McpServerEntry[]> {
    if (this.#options.job.tools.length === 0) return [];
    const tools = await listenForCalls(this.#options, () => this.#turn);
    this.#tools = tools;
    if (this.#isDisposed) await tools[Symbol.asyncDispose]();
    return [serverEntry(tools, reachesHttp)];
  }

  /** The agent may have been refused and then gone on by another way. */
  #refusedLast(): string | null {
    if (this.#updates.wentOn) this.#refused = null;
    return this.#refused;
  }

  #breaks(turn: LiveTurn<RunFailure | null>, id: string, error: unknown): void {
    const failure = promptFailure(error, this.#isCancelled);
    // An error is an answer: the agent has ended the turn. Without an answer it has not.
    if (error instanceof RunFailure) turn.break(failure);
    else turn.complete(id, failure);
  }

  #told(failure: RunFailure | null): RunFailure | null {
    const {progress} = this.#options;
    if (failure === null) progress.note('turn_completed');
    else if (failure.failure.code === 'turn_cancelled') progress.note('turn_cancelled');
    else progress.note('turn_failed', failure.message);
    return failure;
  }

  /** An agent that cannot reach its tools works on without them and says nothing. */
  #noteToolsAndCost(): void {
    const {onNote, transcript} = this.#options;
    if (this.#tools !== null && !this.#tools.wasAsked && !this.#hasNotedTools) {
      this.#hasNotedTools = true;
      onNote('the agent has not asked for the tools of this run, and works without them');
    }
    const {cost} = this.#updates;
    if (cost === null) return;
    const said = `the agent says that this conversation has cost ${cost} so far`;
    transcript.line({ev: 'notice', level: 'info', text: said});
  }

  async #onRequest(method: string, params: unknown): Promise<Answer> {
    const {cwd, job} = this.#options;
    const {access, permissions} = this.#job;
    const ownTools = ownToolNames(job.tools);
    const answered = answerRequest(method, params, {access, permissions, cwd, ownTools});
    this.#turn?.showsLife();
    if (answered.is === 'decided') this.#decided(answered.decision, params);
    if (answered.is === 'question') this.#asks(answered.question);
    return answered.answer;
  }

  #decided({is, what}: Decision, params: unknown): void {
    const {progress, transcript} = this.#options;
    if (is === 'allowed') {
      progress.note('approval_auto_approved', what);
      transcript.line({ev: 'notice', level: 'info', text: `approved: ${what}`});
      return;
    }
    this.#updates.decline(text(loose(loose(params).toolCall).toolCallId));
    if (is === 'asked') return this.#asks(`May I ${what}?`);
    void this.#updates.wentOn; // what was said before does not count
    this.#refused = what;
    transcript.line({ev: 'notice', level: 'warn', text: `refused: ${what}`});
  }

  /** The first question counts; what is asked while the turn is being interrupted does not. */
  #asks(question: string): void {
    const {progress, transcript} = this.#options;
    this.#updates.finishSaying();
    transcript.line({ev: 'question', text: question, options: []});
    this.#question ??= question;
    progress.note('turn_input_required', question);
    // After the answer, which is sent when this returns.
    setImmediate(() => {
      void this.interrupt().then(() => {
        this.#turn?.break(new RunFailure('turn_input_required', question));
      });
    });
  }

  #onNotification(method: string, params: Record<string, unknown>, line: string): void {
    this.#options.transcript.message('<-', line);
    const update = loose(params.update);
    // What agents add to the protocol says nothing of the work.
    const isUpdate = method === 'session/update';
    if (!isUpdate || !this.#isOurs(params)) return this.#heard(isUpdate && provesLife(update));
    if (this.#updates.take(update)) this.#hasShownLife = true;
  }

  #onStreamed(streamed: Streamed): void {
    if (!this.#isOurs(streamed.params)) return this.#heard(true);
    this.#updates.streamed(streamed);
    this.#hasShownLife = true;
  }

  /** Helpers of an agent have sessions of their own. */
  #isOurs({sessionId}: Record<string, unknown>): boolean {
    return sessionId === this.#threadId;
  }

  /** Counted, and not shown. */
  #heard(isSignOfLife: boolean): void {
    this.#options.progress.heard({event: null, message: null, isSignOfLife});
    if (isSignOfLife) this.#hasShownLife = true;
  }

  /** Once for all that came together: a timer costs more than what is done with a piece of text. */
  #onHeard(): void {
    if (this.#hasShownLife) this.#turn?.showsLife();
    this.#hasShownLife = false;
  }
}
