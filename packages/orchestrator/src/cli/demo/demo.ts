import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {SignInLink} from '../../http/index.ts';
import {openLog} from '../../logging/open-log.ts';
import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import type {Supervisor} from '../../shell/supervisor.ts';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {ownCommand} from '../own-command.ts';
import {goodWorkflows} from '../read-workflows.ts';
import {serve} from '../run/serve.ts';
import type {DemoOptions} from '../setup/setup-commands.ts';
import {type DemoFolder, makeDemoFolder} from './folder.ts';
import {ANSWER} from './issues.ts';
import {Progress} from './progress.ts';
import {requireAgent} from './real-agent.ts';
import {summary} from './summary.ts';

/** Far more than the demo takes. On a terminal there is no limit: it stays up. */
const LIMIT_MS = 300_000;
const SHUTDOWN_MS = 10_000;

/** The whole product on one machine: repository, issues, agent and supervisor. */
export async function demo(options: DemoOptions): Promise<ExitCode> {
  const realAgent = options.agent === undefined ? null : await requireAgent(options.agent);
  const folder = await makeDemoFolder(realAgent);
  try {
    return await play(folder, options);
  } finally {
    if (options.keep) console.log(`\nThe folder of the demo is kept: ${folder.path}`);
    else {
      await rm(folder.path, {recursive: true, force: true, maxRetries: 3});
      console.log('\nThe demo has ended, and its folder is removed.');
    }
  }
}

async function play(folder: DemoFolder, options: DemoOptions): Promise<ExitCode> {
  const files = await goodWorkflows([folder.workflow]);
  const stateDir = join(folder.path, '.symphony');
  const logsRoot = join(stateDir, 'logs');
  using opened = await openLog({
    ...{logsRoot, level: options.logLevel, stdout: process.stdout, style: 'none', color: false},
    secrets: [],
  });
  const staysUp = process.stdout.isTTY && !options.exit;
  const scene: Scene = {folder, staysUp, isFinished: false};
  const code = await serve({
    ...{files, stateDir, logsRoot, log: opened.log, maxAgents: null, once: false},
    webhooks: null,
    fixed: {host: '127.0.0.1', port: options.port, allowedHosts: [], publicRead: false},
    shutdownTimeoutMs: SHUTDOWN_MS,
    onStarted: (supervisor, {url, makeLink}) => {
      console.log(`The demo is in ${folder.path}\nIts dashboard: ${url}`);
      console.log(`${howToSignIn(stateDir, process.stdout.isTTY ? makeLink() : null)}\n`);
      follow(supervisor, scene);
      return null;
    },
  });
  if (staysUp || scene.isFinished) return code;
  const remedy = `run it with --keep and check ${logsRoot}`;
  throw new ExitWith(EXIT.unexpected, `the demo ended before its issues were done\n${remedy}`);
}

interface Scene {
  readonly folder: DemoFolder;
  readonly staysUp: boolean;
  isFinished: boolean;
}

/** Prints progress until all is done; without a terminal, answers the question itself and ends. */
function follow(supervisor: Supervisor, scene: Scene): void {
  const {api} = supervisor;
  const progress = new Progress(scene.folder, console.log);
  const limit = scene.staysUp
    ? undefined
    : setTimeout(() => supervisor.shutdown(1000), LIMIT_MS).unref();
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    if (scene.isFinished) return;
    const rest = await progress.look(api.snapshot);
    if (rest === 'busy') return;
    if (rest === 'held' && scene.staysUp) return progress.sayOnce(howToAnswer(scene.folder));
    if (rest === 'held') return answer(api, progress);
    scene.isFinished = true;
    clearTimeout(limit);
    watch[Symbol.dispose]();
    console.log(`\n${await summary(scene.folder, api)}`);
    if (scene.staysUp) console.log('\nCtrl-C ends it and removes the folder.');
    else supervisor.shutdown(1000);
  };
  const watch = api.watch(() => {
    looking = looking.then(look);
  });
}

/** The link is printed on a terminal only. */
function howToSignIn(stateDir: string, link: SignInLink | null): string {
  if (link !== null) return `Open it with this link, once, within ten minutes:\n  ${link.url}`;
  return `Sign in with: ${ownCommand()} open --state-dir ${stateDir}`;
}

function answer(api: SupervisorApi, progress: Progress): void {
  for (const {issue_identifier: id} of api.snapshot.held) {
    progress.sayOnce(`${id}  an operator answers: ${ANSWER}`);
    api.order('the demo', id, null, {command: 'retry', message: ANSWER});
  }
}

function howToAnswer({path}: DemoFolder): string {
  const command = `${ownCommand()} retry DEMO-5 -m "${ANSWER}" --state-dir ${join(path, '.symphony')}`;
  return `\nAll issues but one are done. It needs your answer, in the dashboard or in another terminal:\n  ${command}\n`;
}
