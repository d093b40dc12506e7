import {mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

const AGENT = fileURLToPath(new URL('./agent.bash', import.meta.url));
const POLL_MS = 5;
/** Beyond anything that a loaded machine takes; then the benchmark is broken, not slow. */
const LIMIT_MS = 180_000;

export type AgentMode = 'instant' | 'stay';

/** A line that an agent has noted. */
export interface Note {
  readonly at: number;
  readonly what: 'initialize' | 'turn';
  readonly issue: string;
}

/** A folder with a workflow file, a file tracker and the notes of its agents; gone when disposed of. */
export class Project implements AsyncDisposable {
  readonly path: string;
  readonly agent: string;
  /** Empty, so that no shell profile is part of what is measured. */
  readonly home: string;

  private constructor(path: string, mode: AgentMode) {
    this.path = path;
    this.home = join(path, 'home');
    this.agent = `exec bash '${AGENT}' ${mode} '${path}'`;
  }

  static async make(mode: AgentMode, concurrency: number): Promise<Project> {
    const path = await realpath(await mkdtemp(join(tmpdir(), 'symphony-bench-')));
    const project = new Project(path, mode);
    for (const name of ['home', 'issues', 'moving', 'sent']) await mkdir(join(path, name));
    await writeFile(join(path, 'notes'), '');
    await project.setRate(0);
    const settings = {
      name: 'bench',
      tracker: {kind: 'file', active_states: ['Todo'], terminal_states: ['Done']},
      workspace: {root: './workspaces'},
      agent: {max_concurrent_agents: concurrency, max_turns: 1},
      codex: {command: project.agent, read_timeout_ms: 60_000},
    };
    const text = `---\n${JSON.stringify(settings)}\n---\nWork on {{issue.identifier}}.\n`;
    await writeFile(join(path, 'WORKFLOW.md'), text);
    return project;
  }

  async addIssues(from: number, to: number): Promise<void> {
    for (let number = from; number <= to; number++) {
      const text = `---\nstate: Todo\n---\n# Issue ${number}\n`;
      const moving = join(this.path, 'moving', `B-${number}.md`);
      await writeFile(moving, text);
      await rename(moving, join(this.path, 'issues', `B-${number}.md`));
    }
  }

  /** Events a second of each agent in a turn, from its next look on. */
  async setRate(perSecond: number): Promise<void> {
    await writeFile(join(this.path, 'rate'), `${perSecond}\n`);
  }

  /** Events that all agents have streamed so far. */
  async eventsSent(): Promise<number> {
    const folder = join(this.path, 'sent');
    const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
    return (await Promise.all(texts)).reduce((sum, text) => sum + Number(text), 0);
  }

  async notes(what: Note['what']): Promise<Note[]> {
    const text = await readFile(join(this.path, 'notes'), 'utf8');
    const lines = text.split('\n').map((line) => line.split(' '));
    return lines.flatMap(([at, said, issue]) =>
      said === what && issue !== undefined ? [{at: Number(at) * 1000, what, issue}] : [],
    );
  }

  /** As soon as there are as many about issues; the probe's agent is about none. */
  noted(what: Note['what'], count: number): Promise<Note[]> {
    return until(`${count} × ${what}`, async () => {
      const notes = (await this.notes(what)).filter(({issue}) => issue.startsWith('B-'));
      return notes.length >= count ? notes : null;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, {recursive: true, force: true, maxRetries: 5});
  }
}

/** Polls for a fact that no event tells. */
export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (performance.now() > deadline) throw new Error(`the benchmark waits in vain for ${what}`);
    await sleep(POLL_MS);
  }
}
