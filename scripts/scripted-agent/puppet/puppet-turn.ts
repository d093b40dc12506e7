import type {Fields} from '../json.ts';
import type {Step, StepShapes} from '../script/step.ts';
import type {Tokens} from '../server/tokens.ts';
import type {Answer} from '../server/wire.ts';
import type {PuppetAgent} from './puppet-agent.ts';

/**
 * A turn in the hands of the test. Orders are obeyed one after the other; each returns when it was
 * carried out, and may be left unawaited. One that the end of the turn forestalls rejects.
 */
export class PuppetTurn {
  readonly agent: PuppetAgent;
  readonly id: string;
  readonly threadId: string;
  /** The text of the turn's input. */
  readonly input: string;
  /** Resolves when the turn has ended, by the agent or by the client. */
  readonly over: Promise<void>;

  constructor(
    agent: PuppetAgent,
    turn: {readonly turnId: string; readonly threadId: string; readonly input: string},
    over: Promise<void>,
  ) {
    this.agent = agent;
    this.id = turn.turnId;
    this.threadId = turn.threadId;
    this.input = turn.input;
    this.over = over;
  }

  /** Any step of the script's notation. */
  performs(step: Step): Promise<unknown> {
    return this.agent.perform(step, this.id);
  }

  async says(text: string, tokens?: Tokens): Promise<void> {
    await this.performs(tokens === undefined ? {say: text} : {say: text, tokens});
  }

  async thinks(text: string): Promise<void> {
    await this.performs({think: text});
  }

  async runs(command: string): Promise<{exitCode: number; output: string}> {
    return (await this.performs({run: command})) as {exitCode: number; output: string};
  }

  /** A command that goes on while the turn does. */
  async startsRunning(command: string): Promise<void> {
    await this.performs({run: command, background: true});
  }

  async edits(path: string, text: string): Promise<void> {
    await this.performs({edit: path, text});
  }

  async callsTool(tool: string, args: unknown = {}): Promise<Answer> {
    return (await this.performs({tool, arguments: args})) as Answer;
  }

  /** Asks before a command or an edit, and does it if accepted. Returns the decision. */
  async asksApproval(step: StepShapes['run'] | StepShapes['edit'] | string): Promise<unknown> {
    const asked = typeof step === 'string' ? {run: step} : step;
    const {decision} = (await this.performs({...asked, ask: true})) as {decision: unknown};
    return decision;
  }

  async asksPermissions(permissions: Fields, reason?: string): Promise<Answer> {
    const step = reason === undefined ? {permissions} : {permissions, reason};
    return (await this.performs(step)) as Answer;
  }

  async asksInput(question: string, options: readonly string[] = []): Promise<Answer> {
    return (await this.performs({question, options})) as Answer;
  }

  async elicits(message: string, schema: Fields = {}): Promise<Answer> {
    return (await this.performs({elicit: message, schema})) as Answer;
  }

  async requests(method: string, params: Fields = {}): Promise<Answer> {
    return (await this.performs({request: method, params})) as Answer;
  }

  async notifies(method: string, params: Fields = {}): Promise<void> {
    await this.performs({notify: method, params});
  }

  async uses(tokens: Tokens): Promise<void> {
    await this.performs({usage: tokens});
  }

  /** A line of the test's own making. */
  async sends(line: string): Promise<void> {
    await this.performs({raw: line});
  }

  async fails(message: string, info: unknown = 'other'): Promise<void> {
    await this.performs({fail: message, info});
  }

  async interruptsItself(): Promise<void> {
    await this.performs({interrupt: true});
  }

  async completes(): Promise<void> {
    await this.performs({complete: true});
  }

  /** The process is killed in the middle of this turn. */
  dies(): Promise<void> {
    return this.agent.dies();
  }
}
