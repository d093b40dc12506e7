import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {aFolder} from '../../rig/fixtures/folder.ts';
import {until} from './until.ts';

type Settings = Readonly<Record<string, unknown>>;

export interface IssueFields {
  readonly state?: string;
  readonly title?: string;
  readonly priority?: number;
  readonly labels?: readonly string[];
  readonly blocked_by?: readonly string[];
  readonly created_at?: string;
  readonly description?: string;
}

export const PROMPT = 'Work on {{issue.identifier}}.';

/** A folder as a user has it: a WORKFLOW.md and, for the file tracker, a folder of issues. */
export class Project implements AsyncDisposable {
  readonly path: string;
  readonly #folder: AsyncDisposable;
  readonly #settings: Settings;

  private constructor(path: string, folder: AsyncDisposable, settings: Settings) {
    this.path = path;
    this.#folder = folder;
    this.#settings = settings;
  }

  /** `settings` are merged, section by section, into ones that make a run quick. */
  static async make(settings: Settings, prompt = PROMPT): Promise<Project> {
    const folder = await aFolder();
    const project = new Project(folder.path, folder, settings);
    await mkdir(join(folder.path, 'issues'));
    await project.writeWorkflow({}, prompt);
    return project;
  }

  /** As a person edits it: the settings of before, with these on top. */
  writeWorkflow(changes: Settings = {}, prompt = PROMPT): Promise<void> {
    const frontMatter = [QUICK, this.#settings, changes].reduce(merged);
    return this.writeText(`---\n${JSON.stringify(frontMatter, null, 2)}\n---\n${prompt}\n`);
  }

  writeText(text: string): Promise<void> {
    return writeFile(join(this.path, 'WORKFLOW.md'), text);
  }

  /** Creates an issue of the file tracker, or replaces it. */
  issue(identifier: string, fields: IssueFields = {}): Promise<void> {
    const {description = 'Do it.', ...known} = fields;
    const frontMatter = {state: 'Todo', title: `Title of ${identifier}`, ...known};
    const text = `---\n${Object.entries(frontMatter)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join('\n')}\n---\n${description}\n`;
    return writeFile(this.#issueFile(identifier), text);
  }

  removeIssue(identifier: string): Promise<void> {
    return rm(this.#issueFile(identifier));
  }

  async stateOf(identifier: string): Promise<string | null> {
    const text = await readFile(this.#issueFile(identifier), 'utf8');
    return /^state: "?([^"\n]*)"?$/m.exec(text)?.[1] ?? null;
  }

  async reaches(identifier: string, state: string): Promise<void> {
    await until(
      `${identifier} in ${state}`,
      async () => (await this.stateOf(identifier)) === state,
    );
  }

  /** Lines of a file that hooks have written, in the project's folder; none while it is not there. */
  async lines(name: string): Promise<string[]> {
    const text = await readFile(join(this.path, name), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#folder[Symbol.asyncDispose]();
  }

  #issueFile(identifier: string): string {
    return join(this.path, 'issues', `${identifier}.md`);
  }
}

const QUICK: Settings = {
  name: 'p',
  tracker: {kind: 'file'},
  workspace: {root: './workspaces'},
  polling: {interval_ms: 300},
  agent: {max_turns: 1, max_retry_backoff_ms: 100},
  codex: {read_timeout_ms: 30_000},
};

function merged(under: Settings, over: Settings): Settings {
  const both = {...under};
  for (const [key, value] of Object.entries(over)) {
    const old = both[key];
    both[key] = isMap(old) && isMap(value) ? {...old, ...value} : value;
  }
  return both;
}

function isMap(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
