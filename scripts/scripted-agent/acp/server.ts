import {type Fields, fieldsOf, isFields} from '../json.ts';
import type {Options} from '../options.ts';
import type {Script} from '../script/script.ts';
import type {CodexHost} from '../server/codex-host.ts';
import {type Method, methodsOf} from '../server/methods.ts';
import {Refusal} from '../server/wire.ts';
import {McpClient} from './mcp-client.ts';
import type {AcpWire} from './wire.ts';

/** The version that the scripted agent says it has. */
const VERSION = '1.0.0';
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const RESOURCE_NOT_FOUND = -32002;

const MODES = ['build', 'plan'];
const MODELS = ['scripted/small', 'scripted/large'];

/** Answers a request of the client. */
type Answers = (params: Fields) => object | Promise<object>;

/** The scripted agent as an agent of the Agent Client Protocol. */
export class AcpServer {
  readonly #host: CodexHost;
  readonly #wire: AcpWire;
  readonly #options: Options;
  readonly #without: ReadonlySet<string>;
  readonly #codex: {readonly [name: string]: Method};
  readonly #answers: {readonly [method: string]: Answers};
  readonly #chosen = new Map<string, string>();

  constructor(host: CodexHost, wire: AcpWire, options: Options, script: Script) {
    this.#host = host;
    this.#wire = wire;
    this.#options = options;
    this.#without = new Set(options.without.split(','));
    this.#codex = methodsOf(host, options, script);
    this.#answers = {
      initialize: (params) => this.#initialize(params),
      'session/new': (params) => this.#open(params, 'thread/start'),
      ...(this.#without.has('resume')
        ? {}
        : {'session/resume': (params: Fields) => this.#open(params, 'thread/resume')}),
      ...(this.#without.has('load')
        ? {}
        : {'session/load': (params: Fields) => this.#load(params)}),
      'session/set_config_option': (params) => this.#choose(params),
    };
  }

  receive(line: string): void {
    const message = parsed(line);
    if (message === null) {
      process.stderr.write(`scripted-agent: not a message: ${line.slice(0, 200)}\n`);
      return;
    }
    this.#host.report({report: 'received', message});
    if (this.#options.silent) return;
    const {method, id} = message;
    const params = fieldsOf(message.params);
    if (typeof method !== 'string') this.#wire.settle(message);
    else if (method === 'session/cancel') this.#cancel(params);
    else if (method === 'session/prompt') this.#prompt(id, params);
    else if (id !== undefined) void this.#answer(id, method, params);
  }

  async #answer(id: unknown, method: string, params: Fields): Promise<void> {
    try {
      const answers = Object.hasOwn(this.#answers, method) ? this.#answers[method] : undefined;
      if (answers === undefined) throw new Refusal(`no method ${method}`, METHOD_NOT_FOUND);
      this.#wire.respond(id, await answers(params));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#wire.refuse(id, error);
    }
  }

  #initialize(params: Fields): object {
    if (this.#options['fail-initialize']) throw new Refusal('scripted to fail', INTERNAL_ERROR);
    const capabilities = {experimentalApi: true};
    this.#codex.initialize?.({clientInfo: params.clientInfo, capabilities});
    return {
      protocolVersion: Number(this.#options['protocol-version']),
      agentCapabilities: {
        loadSession: !this.#without.has('load'),
        mcpCapabilities: {http: !this.#without.has('http'), sse: false},
        sessionCapabilities: this.#without.has('resume') ? {} : {resume: {}},
      },
      agentInfo: {name: 'scripted-agent', version: VERSION},
      authMethods: [{id: 'script', name: 'Log in', description: 'write a script'}],
    };
  }

  async #open(params: Fields, method: 'thread/start' | 'thread/resume'): Promise<object> {
    const {cwd, mcpServers, sessionId: threadId} = params;
    const {thread} = fieldsOf(this.#carryOut(method, {threadId, cwd}));
    const sessionId = fieldsOf(thread).id;
    const entries = Array.isArray(mcpServers) ? mcpServers.map(fieldsOf) : [];
    const clients = this.#without.has('tools')
      ? []
      : await Promise.all(entries.map((entry) => McpClient.connect(entry)));
    this.#wire.tools.set(
      sessionId,
      clients.flatMap((client) => client ?? []),
    );
    const configOptions = this.#configOptions();
    return method === 'thread/start' ? {sessionId, configOptions} : {configOptions};
  }

  /** All that was said before is said again, as the protocol wants it. */
  async #load(params: Fields): Promise<object> {
    const {sessionId} = params;
    const opened = await this.#open(params, 'thread/resume');
    for (const sessionUpdate of ['user_message_chunk', 'agent_message_chunk']) {
      const content = {type: 'text', text: 'said in an earlier run'};
      this.#wire.notify('session/update', {
        threadId: sessionId,
        update: {sessionUpdate, messageId: 'earlier', content},
      });
    }
    return opened;
  }

  #carryOut(method: 'thread/start' | 'thread/resume', params: object): object {
    const policy = {approvalPolicy: 'never', sandbox: 'danger-full-access'};
    try {
      return this.#codex[method]?.({...params, ...policy}).result ?? {};
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(`Resource not found: ${error.message}`, RESOURCE_NOT_FOUND);
    }
  }

  #prompt(id: unknown, {sessionId: threadId, prompt: input}: Fields): void {
    this.#wire.promptBegins(threadId, id);
    try {
      this.#codex['turn/start']?.({threadId, input}).afterwards?.();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#wire.refuse(id, error);
    }
  }

  #cancel({sessionId}: Fields): void {
    this.#host.threads.get(String(sessionId))?.turn?.end('interrupted');
  }

  #choose({configId, value}: Fields): object {
    const option = this.#configOptions().find(({id}) => id === configId);
    const isOffered = option?.options.some((one) => one.value === value) ?? false;
    if (!isOffered) throw new Refusal(`Invalid value: ${value}`, INVALID_PARAMS);
    this.#chosen.set(String(configId), String(value));
    return {configOptions: this.#configOptions()};
  }

  #configOptions() {
    const select = (category: string, values: readonly string[]) => ({
      ...{id: category, name: category, category, type: 'select'},
      currentValue: this.#chosen.get(category) ?? values[0],
      options: values.map((value) => ({value, name: value})),
    });
    return [select('mode', MODES), select('model', MODELS)];
  }
}

function parsed(line: string): Fields | null {
  try {
    const message: unknown = JSON.parse(line);
    return isFields(message) ? message : null;
  } catch {
    return null;
  }
}
