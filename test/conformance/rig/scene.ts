import {basename} from 'node:path';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import type {PuppetTurn} from '@symphony-supervisor/scripts/puppet-turn';
import {Project} from './project.ts';
import {Supervisor} from './supervisor.ts';

type Settings = Readonly<Record<string, unknown>>;

interface SceneOptions {
  readonly settings?: Settings;
  readonly prompt?: string;
  /** Arguments of the scripted agent: ways to misbehave. */
  readonly agent?: readonly string[];
}

const LIMIT_MS = 60_000;

/** A project, an agent in the hands of the case, and as many lives of a supervisor as it wants. */
export class Scene implements AsyncDisposable {
  readonly project: Project;
  readonly puppet: AgentPuppet;
  readonly #lives: Supervisor[] = [];
  /** Turns that began while another issue's was waited for. */
  #early: PuppetTurn[] = [];

  private constructor(project: Project, puppet: AgentPuppet) {
    this.project = project;
    this.puppet = puppet;
  }

  static async set({settings = {}, prompt, agent = []}: SceneOptions = {}): Promise<Scene> {
    const puppet = await AgentPuppet.listen({args: agent});
    const codex = {command: puppet.command, ...(settings.codex as Settings | undefined)};
    return new Scene(await Project.make({...settings, codex}, prompt), puppet);
  }

  start(args: readonly string[] = [], env: Record<string, string> = {}): Supervisor {
    const life = new Supervisor(this.project.path, args, env);
    this.#lives.push(life);
    return life;
  }

  /** The next turn; of that issue, if one is named. */
  async turn(identifier?: string): Promise<PuppetTurn> {
    for (;;) {
      const index = this.#early.findIndex((turn) => isOf(turn, identifier));
      const [found] = index < 0 ? [] : this.#early.splice(index, 1);
      if (found !== undefined) return found;
      this.#early.push(await inTime(this.puppet.nextTurn(), `a turn of ${identifier ?? 'any'}`));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const life of this.#lives) await life.kill();
    await this.puppet[Symbol.asyncDispose]();
    await this.project[Symbol.asyncDispose]();
  }
}

/** The issue that a turn is about: its workspace is called like it. */
export function issueOf({agent}: PuppetTurn): string {
  const [opened] = [...agent.received('thread/start'), ...agent.received('thread/resume')];
  const {cwd = ''} = (opened?.params ?? {}) as {cwd?: string};
  return basename(cwd);
}

/** Work that leaves a trace in the workspace, and costs nothing. */
export function works(turn: PuppetTurn, text = turn.id): Promise<unknown> {
  return turn.performs({edit: 'work.txt', text, tokens: 0});
}

function isOf(turn: PuppetTurn, identifier: string | undefined): boolean {
  return identifier === undefined || issueOf(turn) === identifier;
}

function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it never came: ${what}`)), LIMIT_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
