import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, realpath, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {AgentKind} from '@symphony-supervisor/protocol';
import {DEFAULT_KIND} from '@symphony-supervisor/protocol/workflow';
import {EXIT, ExitWith} from '../exit.ts';
import {bundle} from '../places.ts';
import {DEMO_ISSUES, issueText} from './issues.ts';
import type {RealAgent} from './real-agent.ts';

const run = promisify(execFile);

/** Everything that the demo uses, in one temporary folder. */
export interface DemoFolder {
  readonly path: string;
  readonly workflow: string;
  readonly origin: string;
}

export async function makeDemoFolder(realAgent: RealAgent | null): Promise<DemoFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'symphony-demo-')));
  const origin = join(path, 'greeter.git');
  await makeRepository(path, origin);
  for (const folder of ['issues', 'scripts']) await mkdir(join(path, folder));
  for (const issue of DEMO_ISSUES) {
    await writeFile(join(path, 'issues', `${issue.id}.md`), issueText(issue));
    await writeFile(join(path, 'scripts', `${issue.id}.json`), JSON.stringify(issue.steps));
  }
  await writeFile(join(path, 'scripts', 'none.json'), JSON.stringify([{say: 'nothing to do'}]));
  const workflow = join(path, 'WORKFLOW.md');
  await writeFile(
    workflow,
    workflowText(origin, realAgent?.kind ?? DEFAULT_KIND, realAgent?.command ?? agentCommand(path)),
  );
  return {path, workflow, origin};
}

/** The current states in the files. */
export async function demoStates({path}: DemoFolder): Promise<ReadonlyMap<string, string>> {
  const entries = DEMO_ISSUES.map(async ({id}) => {
    const text = await readFile(join(path, 'issues', `${id}.md`), 'utf8').catch(() => '');
    return [id, /^state: (.*)$/m.exec(text)?.[1]?.trim() ?? '?'] as const;
  });
  return new Map(await Promise.all(entries));
}

/** The commit of an issue; empty if none was pushed. */
export async function commitOf({origin}: DemoFolder, id: string): Promise<string> {
  const args = ['log', '-1', '--format=%h %s', `refs/heads/${id}`];
  return git(origin, args).catch(() => '');
}

async function makeRepository(path: string, origin: string): Promise<void> {
  const first = join(path, 'first');
  try {
    await git(path, ['init', '--quiet', '--bare', '--initial-branch=main', origin]);
    await git(path, ['clone', '--quiet', origin, first]);
    await writeFile(join(first, 'README.md'), '# greeter\n\nSays hello.\n');
    await writeFile(join(first, 'package.json'), '{"name": "greeter", "type": "module"}\n');
    await git(first, ['add', '-A']);
    const identity = ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost'];
    await git(first, [...identity, 'commit', '--quiet', '-m', 'Begin']);
    await git(first, ['push', '--quiet', 'origin', 'HEAD:main']);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const what = `the repository of the demo cannot be created: ${reason.trim()}`;
    throw new ExitWith(EXIT.unexpected, `${what}\nthe demo needs git, 2.28 or newer`, {cause});
  }
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  // A demo started from a git hook inherits variables that point to another repository.
  const env = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX)/.test(name),
  );
  const {stdout} = await run('git', args, {cwd, env: Object.fromEntries(env)});
  return stdout.trim();
}

/** The workspace in which the agent is started selects its script. */
function agentCommand(path: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const scripts = quote(join(path, 'scripts'));
  return [
    `script=${scripts}/"$(basename "$PWD")".json`,
    `[ -f "$script" ] || script=${scripts}/none.json`,
    `exec ${quote(process.execPath)} ${quote(bundle('demo-agent.js'))} --home ${quote(join(path, 'agent'))} --script "$script"`,
  ].join('\n');
}

/** YAML as people write it, because readers take the folder as an example. */
function workflowText(origin: string, kind: AgentKind, command: string): string {
  const repository = `'${origin.replaceAll("'", `'\\''`)}'`;
  return `---
name: demo

tracker:
  kind: file # every Markdown file in ./issues is an issue
  in_progress_state: In Progress

polling:
  interval_ms: 1000

workspace:
  root: ./workspaces

hooks:
  after_create: |
    git clone --quiet ${repository} .
    git config user.name "the agent"
    git config user.email agent@localhost
  # The agent can write the .git of its workspace, so nothing is pushed from there: the repository fetches.
  deliver: |
    set -e
    cd ${repository}
    git fetch --quiet "$SYMPHONY_WORKSPACE" "+HEAD:refs/heads/$SYMPHONY_ISSUE_IDENTIFIER"

agent:
  max_concurrent_agents: 2
  max_retry_backoff_ms: 2000
  kind: ${kind}
  command: |
    ${command.replaceAll('\n', '\n    ')}
  read_timeout_ms: 30000
---
Work on {{issue.identifier}}: {{issue.title}}

{{issue.description}}

Commit what you did. Then move the issue to the state Done with the tool update_issue.
`;
}
