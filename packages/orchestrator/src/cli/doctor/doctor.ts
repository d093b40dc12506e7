import {resolve} from 'node:path';
import type {Workflow} from '@symphony-supervisor/protocol';
import {type LoginReading, readLoginEnvironment} from '@symphony-supervisor/protocol/processes';
import {type Complaint, formatComplaint} from '@symphony-supervisor/protocol/workflow';
import {EXIT, type ExitCode} from '../exit.ts';
import {stateDirFor} from '../places.ts';
import {readWorkflows, type WorkflowFiles} from '../read-workflows.ts';
import {fixedAddress, webhookAddress} from '../run/listen-addresses.ts';
import {promptMistakes} from '../setup/prompt-mistakes.ts';
import type {DoctorOptions} from '../setup/setup-commands.ts';
import {plain, printJson} from '../table.ts';
import {checkControlSocket, tellOfTokens} from './access.ts';
import {checkAgent, checkRoles} from './agent.ts';
import {type Check, fail, ok, skip, warn} from './check.ts';
import {checkHooks} from './hooks.ts';
import {checkKept} from './kept.ts';
import {checkBash, checkGit, checkLogin, checkNode} from './machine.ts';
import {checkPort, checkStateDir, checkWorkspaceRoot} from './places.ts';
import {checkTracker} from './tracker.ts';

const MARKS = {ok: 'ok  ', warn: 'warn', fail: 'FAIL', skip: '–   '};

/** Checks everything that a run needs, one after the other; each result is printed at once. */
export async function doctor(given: readonly string[], options: DoctorOptions): Promise<ExitCode> {
  const checks: Check[] = [];
  for await (const check of allChecks(given, options)) {
    checks.push(check);
    if (!options.json) console.log(lineOf(check));
  }
  const failed = checks.filter(({status}) => status === 'fail').length;
  const warned = checks.filter(({status}) => status === 'warn').length;
  if (options.json) printJson({ok: failed === 0, checks});
  else
    console.log(
      `\n${failed === 0 ? 'ready' : 'not ready'}: ${count(failed, 'error')}, ${count(warned, 'warning')}`,
    );
  return failed === 0 ? EXIT.fine : EXIT.unexpected;
}

async function* allChecks(
  given: readonly string[],
  options: DoctorOptions,
): AsyncGenerator<Check, void> {
  yield checkNode();
  yield await checkGit();
  const noBash = await checkBash();
  if (noBash !== null) yield noBash;
  const files = await readWorkflows(given);
  const secretNames = files.workflows.flatMap(({settings}) => settings.tracker.secretNames);
  const login = await readLoginEnvironment({environment: process.env, secretNames});
  yield checkLogin(login);
  yield* workflowChecks(files);
  const stateDir = stateDirFor(files.paths, options.stateDir);
  yield await checkStateDir(stateDir);
  yield await checkKept(stateDir);
  yield await checkControlSocket(stateDir, process.env.XDG_RUNTIME_DIR ?? null);
  yield tellOfTokens(stateDir);
  yield await checkPort(fixedAddress(files.workflows, options), stateDir);
  const webhooks = webhookAddress(files.workflows);
  if (webhooks !== null) yield await checkPort(webhooks, stateDir, 'webhook port');
  const projects = [...files.workflows, ...files.drafts];
  for (const workflow of projects) {
    const {name} = workflow.settings;
    for await (const check of projectChecks(workflow, files.errors, login)) {
      yield projects.length > 1 ? {...check, name: `${name}: ${check.name}`} : check;
    }
  }
}

/** Checks that depend on a wrong setting are skipped; all others run in the same pass. */
async function* projectChecks(
  workflow: Workflow,
  errors: readonly Complaint[],
  login: LoginReading,
): AsyncGenerator<Check, void> {
  for (const mistake of await promptMistakes(workflow)) {
    const remedy = 'correct the prompt: it would hold every issue';
    yield warn('prompt', formatComplaint(mistake), remedy);
  }
  yield await checkWorkspaceRoot(workflow);
  const isWrong = errors.some(
    ({path, key}) => resolve(path) === workflow.path && key?.startsWith('tracker'),
  );
  if (isWrong) yield skip('tracker', 'not checked: its settings have errors, see above');
  else yield* await checkTracker(workflow);
  yield* await checkHooks(workflow);
  const isPlain = workflow.settings.agent.shell === 'plain';
  const environment = login.ok && isPlain ? login.variables : null;
  yield* checkAgent(workflow, environment);
  yield* checkRoles(workflow, environment);
}

function* workflowChecks({paths, workflows, errors, warnings}: WorkflowFiles): Generator<Check> {
  for (const error of errors) {
    const isMissing = error.code === 'missing_workflow_file';
    const remedy = isMissing
      ? 'symphony-supervisor init creates one; or give the path of your file'
      : 'correct it; symphony-supervisor validate checks the file again';
    yield fail('workflow', formatComplaint(error), remedy);
  }
  for (const warning of warnings) {
    yield warn(
      'workflow',
      formatComplaint(warning),
      'correct it, or ignore this warning if it is intended',
    );
  }
  if (errors.length === 0) yield ok('workflow', `${paths.join(', ')}: ${workflows.length} valid`);
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function lineOf({name, status, found, remedy}: Check): string {
  const line = `${MARKS[status]}  ${name}: ${plain(found)}`;
  return remedy === null ? line : `${line}\n      → ${remedy}`;
}
