import {type AgentJobOf, RunFailure, type ThreadRecord} from '@symphony-supervisor/protocol';
import {type Loose, list, loose, text, textOrNull} from '@symphony-supervisor/protocol/transcript';
import {freshId} from '../../processes/fresh-id.ts';
import type {AgentSession, SessionOptions} from '../agent.ts';
import {LiveTurn} from '../live-turn.ts';
import {answerMcp} from '../mcp/answer.ts';
import {within} from '../within.ts';
import {type Conversation, environmentOf, sessionCommand, TOOL_SERVER} from './start/command.ts';
import {isSandboxed} from './start/sandbox.ts';
import {hiddenFromGit} from './start/sandbox-litter.ts';
import {Startup} from './start/startup.ts';
import {answers, Heard} from './turn/heard.ts';
import {answerPermission} from './turn/permissions.ts';

/** A turn that was told to stop has this long to say so. */
const INTERRUPT_LIMIT_MS = 2000;
/** Once it is answered the turn ends in milliseconds. */
const INTERRUPTED_LIMIT_MS = 500;
/** Answered with "deny, and interrupt", a question ends its turn by itself. */
const DENIED_LIMIT_MS = 1000;

/** One conversation with Claude Code: one process, or two if the first refuses to resume. */
export class ClaudeSession implements AgentSession {
  readonly #job: AgentJobOf<'claude'>;
  readonly #options: SessionOptions;
  #startup: Startup | null = null;
  #heard: Heard | null = null;
  #threadId = '';
  #turn: LiveTurn<Loose> | null = null;
  /** The id of our last message, by which a result says that it is the answer to it. */
  #sent = '';
  #question: string | null = null;
  #hasShownLife = false;

  constructor(job: AgentJobOf<'claude'>, options: SessionOptions) {
    this.#job = job;
    this.#options = {...options, env: environmentOf(job, options.env)};
  }

  get threadId(): string {
    return this.#threadId;
  }

  async start(recorded: ThreadRecord | null): Promise<{resumed: boolean}> {
    if (recorded !== null) {
      this.#options.progress.meter.startFrom(recorded.id, recorded.usage);
      const refusal = await this.#resume(recorded.id);
      if (refusal === null) return {resumed: true};
      const reason = `the conversation cannot be resumed, a new one begins: ${refusal}`;
      this.#options.onNote(reason);
    }
    await this.#open({id: freshId(), is: 'new'});
    return {resumed: false};
  }

  async takeTurn(prompt: string, onStarted: (turnId: string) => void): Promise<RunFailure | null> {
    const control = this.#startup?.control;
    if (control === undefined) throw new Error('the session was not started');
    if (control.gone !== null) return control.gone;
    const {progress} = this.#options;
    const turn = new LiveTurn<Loose>(this.#job.turn_timeout_ms, (id) => {
      progress.note('session_started');
      onStarted(id);
    });
    this.#turn = turn;
    this.#sent = freshId();
    this.#heard?.turnBegins();
    control.send({
      type: 'user',
      message: {role: 'user', content: prompt},
      parent_tool_use_id: null,
      uuid: this.#sent,
      // As it is written: "@/etc/passwd" in an issue would attach that file, and "/clear" would be obeyed.
      client_composed: true,
    });
    const end = await turn.ended;
    if (this.#question !== null) return new RunFailure('turn_input_required', this.#question);
    return end.is === 'broken' ? end.failure : (this.#heard?.verdict(end.result) ?? null);
  }

  async interrupt(): Promise<void> {
    const turn = this.#turn;
    if (turn === null || turn.isOver) return;
    const limitMs = this.#limit(INTERRUPT_LIMIT_MS);
    await within(limitMs, turn.started);
    if (turn.isOver || this.#startup?.control.gone !== null) return;
    this.#options.transcript.line({ev: 'notice', level: 'warn', text: 'the turn is interrupted'});
    await this.#startup.control.request({subtype: 'interrupt'}, limitMs).catch(() => {});
    await within(this.#limit(INTERRUPTED_LIMIT_MS), turn.over);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
    await this.#startup?.control.process.end();
  }

  /** Returns why, if Claude Code refused: its process ends by that. */
  async #resume(id: string): Promise<string | null> {
    try {
      await this.#open({id, is: 'resumed'});
      return null;
    } catch (error) {
      if (!(error instanceof RunFailure) || error.failure.code !== 'port_exit') throw error;
      await this.#startup?.control.process.end();
      return error.message;
    }
  }

  async #open(conversation: Conversation): Promise<void> {
    const {progress, processes, job, stop} = this.#options;
    const sandboxed = await stop.orStopped(isSandboxed(this.#job, this.#options.env));
    const command = sessionCommand(this.#job, this.#options, conversation, sandboxed);
    const hidden = sandboxed ? await hiddenFromGit(this.#options.env) : {};
    const options = {...this.#options, env: {...this.#options.env, ...hidden}};
    const startup = new Startup(this.#job, command, options, {
      onRequest: (request) => this.#onRequest(request),
      onMessage: (message) => this.#onMessage(message),
      onMalformed: (what) => progress.malformed(what),
      onHeard: () => this.#onHeard(),
    });
    this.#startup = startup;
    const {pid, gone} = startup.control.process;
    if (pid !== null) this.#options.onProcess(pid);
    void gone.then((failure) => this.#onGone(startup, failure));
    this.#threadId = conversation.id;
    this.#heard = new Heard(conversation.id, this.#options);
    progress.follow(conversation.id);
    // Claude Code marks whatever its shells start, even where a rule strips our own mark.
    processes.alsoMarkedBy(`CLAUDE_CODE_SESSION_ID=${conversation.id}`);
    await stop.orStopped(startup.greet(job.tools.length > 0 ? [TOOL_SERVER] : []));
  }

  #limit(usualMs: number): number {
    return this.#options.stop.stepLimit(usualMs);
  }

  #onGone(startup: Startup, failure: RunFailure): void {
    if (startup !== this.#startup) return;
    this.#heard?.cutOff();
    this.#turn?.break(failure);
  }

  async #onRequest(request: Loose): Promise<object> {
    switch (request.subtype) {
      case 'can_use_tool':
        return this.#onPermission(request);
      case 'mcp_message':
        return {mcp_response: await this.#onTool(request.message)};
      default:
        throw new Error(`there is no ${text(request.subtype)} here`);
    }
  }

  #onPermission(request: Loose): object {
    const {progress, transcript} = this.#options;
    const permission = answerPermission(request, this.#job);
    if (permission.is === 'question') {
      transcript.line(permission.line);
      this.#asks(permission.asked);
    } else {
      progress.note('notification', `refused: ${permission.what}`);
      transcript.line({ev: 'notice', level: 'warn', text: `refused: ${permission.what}`});
    }
    return permission.answer;
  }

  /** The first question counts; what is asked while the turn is being interrupted does not. */
  #asks(question: string): void {
    this.#question ??= question;
    this.#options.progress.note('turn_input_required', question);
    const turn = this.#turn;
    if (turn === null) return;
    void within(this.#limit(DENIED_LIMIT_MS), turn.ended).then(async () => {
      await this.interrupt();
      turn.break(new RunFailure('turn_input_required', question));
    });
  }

  async #onTool(message: unknown): Promise<object> {
    const {job, progress, callTool} = this.#options;
    const answer = () =>
      answerMcp(message, {
        tools: job.tools,
        callTool,
        onUnknownTool: (name) => progress.note('unsupported_tool_call', name),
      });
    const answered = await (this.#turn?.whileWaitingForUs(answer) ?? answer());
    // In this pipe a notification is a request, too, and wants an answer.
    return answered ?? {jsonrpc: '2.0', id: 0, result: {}};
  }

  #onMessage(message: Loose): void {
    if (this.#heard?.take(message)) this.#hasShownLife = true;
    if (message.subtype === 'init') this.#onInit(message);
    const isOurs = message.type === 'result' && answers(message, this.#sent);
    if (isOurs) this.#turn?.complete(this.#sent, message);
  }

  /** Once for all that came together. */
  #onHeard(): void {
    if (this.#hasShownLife) this.#turn?.showsLife();
    this.#hasShownLife = false;
  }

  /** At the start of every turn, those that Claude Code begins by itself included. */
  #onInit(message: Loose): void {
    this.#turn?.hasStarted(this.#sent);
    if (this.#options.job.tools.length === 0) return;
    const servers = list(message.mcp_servers).map(loose);
    const status = textOrNull(servers.find(({name}) => name === TOOL_SERVER)?.status);
    if (status === 'connected' || status === 'pending') return;
    const reason = `the agent works without our tools (their server is ${status ?? 'missing'})`;
    this.#turn?.break(new RunFailure('agent_incompatible', reason));
  }
}
