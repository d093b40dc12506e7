import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import {findProcesses, isAlive} from '@symphony-supervisor/protocol/processes';
import {until} from '../../../../../test/rig/survivors.ts';
import {dump} from './dump.ts';

// Records the store that a release leaves behind when it is killed at work, for the tests of the
// releases after it. It drives the built supervisor and the scripted agent of a checkout from outside:
//
//   node --import tsx packages/orchestrator/test/store/recorded/record.ts <checkout>
//
// writes `v<version of the store>.sql` and the agents' conversations, `.threads.jsonl`, beside this file.

const checkout = resolve(process.argv[2] ?? '.');
const SUPERVISOR = join(checkout, 'packages/orchestrator/bin/symphony-supervisor.js');
const AGENT = join(checkout, 'scripts/dist/scripted-agent.js');

/** What each agent does, and the claim that its issue has then. Those of project q are paused. */
const ISSUES: Readonly<
  Record<string, {project: 'p' | 'q'; claim: string | null; script: unknown}>
> = {
  'T-running': {project: 'p', claim: 'running live', script: [[{say: 'at work'}, 'hang']]},
  'T-failed': {
    project: 'p',
    claim: 'retrying failure',
    script: [[{say: 'at work'}, {exit: 1}]],
  },
  'T-asked': {
    project: 'p',
    claim: 'held turn_input_required',
    script: [[{say: 'at work'}, {question: 'Which colour?'}, 'hang']],
  },
  'T-limit': {
    project: 'p',
    claim: 'held limit_tokens',
    script: [[{say: 'at work', tokens: 2_000_000}, 'hang']],
  },
  'T-stopped': {project: 'p', claim: 'stopping runner', script: [[{say: 'at work'}, 'hang']]},
  'T-finishing': {
    project: 'p',
    claim: 'stopping finishing',
    script: [
      [
        {say: 'at work'},
        waitFor('done'),
        {run: 'kill -9 $(cut -d" " -f4 /proc/$PPID/stat)'},
        'hang',
      ],
    ],
  },
  'T-cleaning': {project: 'p', claim: 'stopping cleaning', script: [[waitFor('done'), done()]]},
  'T-done': {project: 'p', claim: null, script: [[{run: 'echo hello > hello'}, done()]]},
  'T-continued': {
    project: 'q',
    claim: 'retrying continuation',
    script: [[{say: 'at work'}, {run: 'echo hello > hello'}, waitFor('paused')]],
  },
  'T-message': {
    project: 'q',
    claim: 'retrying continuation',
    script: [[{say: 'at work'}, {question: 'Which colour?'}, 'hang']],
  },
};

const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
try {
  const {version, sql, threads} = await record();
  write(`v${version}.sql`, sql);
  write(`v${version}.threads.jsonl`, threads);
} finally {
  rmSync(folder, {recursive: true, force: true});
}

function write(name: string, lines: readonly string[]): void {
  const text = `${lines.join('\n')}\n`.replaceAll(folder, '{folder}');
  writeFileSync(new URL(name, import.meta.url), text);
}

async function record() {
  writeProject('p', {max_tokens: 1_000_000});
  writeProject('q', {max_turns: 1});
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(join(folder, 'scripts/probe.json'), '[["complete"]]');
  for (const [issue, {project, script}] of Object.entries(ISSUES)) {
    const text = `---\nstate: Todo\n---\n# ${issue}\n`;
    writeFileSync(join(folder, project, 'issues', `${issue}.md`), text);
    writeFileSync(join(folder, 'scripts', `${issue}.json`), JSON.stringify(script));
  }
  const args = ['run', 'p/WORKFLOW.md', 'q/WORKFLOW.md', '--no-tui', '--state-dir', 'state'];
  const supervisor = spawn(process.execPath, [SUPERVISOR, ...args], {
    cwd: folder,
    env: {...process.env, HOME: folder},
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(supervisor, 'exit');
  try {
    await claimed({'T-stopped': 'running live', 'T-message': 'held turn_input_required'});
    await claimed({'T-continued': 'running live', 'T-done': null});
    // Only now, because few workspaces are cleaned at a time.
    writeFileSync(join(folder, 'done'), '');
    order('pause', '--project', 'q');
    order('retry', 'T-message', '--message', 'Blue, like the sky.');
    order('stop', 'T-stopped');
    writeFileSync(join(folder, 'paused'), '');
    const wanted = Object.entries(ISSUES).map(([issue, {claim}]) => [issue, claim] as const);
    await claimed(Object.fromEntries(wanted));
  } finally {
    supervisor.kill('SIGKILL');
    await exited;
    await endAll();
  }
  const db = new DatabaseSync(join(folder, 'state/symphony.db'));
  try {
    return {...dump(db), threads: readThreads()};
  } finally {
    db.close();
  }
}

function writeProject(name: string, agent: object): void {
  mkdirSync(join(folder, name, 'issues'), {recursive: true});
  const hold = (...issues: string[]) =>
    `case "$SYMPHONY_ISSUE_IDENTIFIER" in ${issues.join('|')}) sleep 50;; esac`;
  const settings = {
    ...{name, tracker: {kind: 'file'}, polling: {interval_ms: 500}, agent},
    workspace: {root: './workspaces'},
    hooks: {after_run: hold('T-stopped', 'T-finishing'), before_remove: hold('T-cleaning')},
    codex: {
      command: `exec '${process.execPath}' '${AGENT}' --home "$HOME/agents" --script "$HOME/scripts/\${SYMPHONY_ISSUE_IDENTIFIER:-probe}.json"`,
      read_timeout_ms: 30_000,
    },
  };
  const text = `---\n${JSON.stringify(settings)}\n---\nWork on {{issue.identifier}}.\n`;
  writeFileSync(join(folder, name, 'WORKFLOW.md'), text);
}

/** Steps of the scripted agent. */
function waitFor(name: string) {
  return {run: `until [ -e "$HOME/${name}" ]; do sleep 0.1; done`};
}

function done() {
  return {tool: 'update_issue', arguments: {state: 'Done'}};
}

/** Resolves when the store has these claims, with what their agents used; null: no claim any more. */
async function claimed(wanted: Readonly<Record<string, string | null>>): Promise<void> {
  let found = new Map<string, string>();
  const seen = await until(async () => {
    found = readClaims();
    return Object.entries(wanted).every(([issue, claim]) => (found.get(issue) ?? null) === claim)
      ? true
      : null;
  });
  if (seen === null) throw new Error(`wanted ${JSON.stringify(wanted)}, found ${[...found]}`);
}

function readClaims(): Map<string, string> {
  const claims = new Map<string, string>();
  try {
    const db = new DatabaseSync(join(folder, 'state/symphony.db'), {
      readOnly: true,
      timeout: 5_000,
    });
    const ended = new Set(
      db.prepare('SELECT identifier FROM runs WHERE ended_at IS NOT NULL').all().map(identifier),
    );
    for (const row of db.prepare('SELECT identifier, claim FROM claims').all()) {
      claims.set(identifier(row), describe(JSON.parse((row as {claim: string}).claim)));
    }
    // What is over has been begun: a claim that is not there yet is another matter.
    for (const issue of Object.keys(ISSUES)) {
      if (!ended.has(issue) && !claims.has(issue)) claims.set(issue, 'nothing yet');
    }
    db.close();
  } catch {
    // It is being made.
  }
  return claims;
}

function identifier(row: unknown): string {
  return (row as {identifier: string}).identifier;
}

interface AnyClaim {
  readonly is: string;
  readonly kind?: string;
  readonly step?: string;
  readonly because?: {readonly code: string};
  readonly run?: {readonly step: string; readonly usage: {readonly total_tokens: number}} | null;
}

function describe({is, kind, step, because, run}: AnyClaim): string {
  if (is !== 'running') return `${is} ${kind ?? because?.code ?? step}`;
  return run?.usage.total_tokens === 0 ? 'running, nothing used yet' : `running ${run?.step}`;
}

function order(...args: string[]): void {
  const options = ['--state-dir', 'state'];
  const {status, stderr} = spawnSync(process.execPath, [SUPERVISOR, ...args, ...options], {
    cwd: folder,
    env: {...process.env, HOME: folder},
  });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}

/** What outlives the supervisor ends by itself, but for the hooks that hold a claim in its step. */
async function endAll(): Promise<void> {
  const left = findProcesses({roots: [], markers: [`HOME=${folder}`], except: [process.pid]});
  for (const {pid} of left.filter(isAlive)) process.kill(pid, 'SIGKILL');
}

/** The agent's own record of its conversations, without which it could not resume one. */
function readThreads(): string[] {
  const threads = join(folder, 'agents/threads');
  return readdirSync(threads)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(threads, name), 'utf8'));
}
