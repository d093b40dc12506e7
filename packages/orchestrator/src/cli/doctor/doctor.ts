import {readLoginEnvironment} from '@symphony-supervisor/protocol/processes';
import {formatComplaint} from '@symphony-supervisor/protocol/workflow';
import {EXIT, type ExitCode} from '../exit.ts';
import {fixedDoor, webhookDoor} from '../fixed-door.ts';
import {stateDirFor} from '../places.ts';
import {promptMistakes} from '../prompt-mistakes.ts';
import {readWorkflows, type WorkflowFiles} from '../read-workflows.ts';
import type {DoctorOptions} from '../setup-commands.ts';
import {plain, printJson} from '../table.ts';
import {checkControlSocket, tellOfTokens} from './access.ts';
import {checkAgent, checkPolicies, checkSandbox} from './agent.ts';
import {type Check, fail, ok, warn} from './check.ts';
import {checkBash, checkGit, checkLogin, checkNode} from './machine.ts';
import {checkPort, checkStateDir, checkWorkspaceRoot} from './places.ts';
import {checkTracker} from './tracker.ts';

const MARKS = {ok: 'ok  ', warn: 'warn', fail: 'FAIL', skip: '–   '};

/** Everything that a run needs, one after the other; each is told as soon as it is known. */
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
      `\n${failed === 0 ? 'ready' : 'not ready'}: ${failed} to mend, ${warned} to look at`,
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
  yield await checkControlSocket(stateDir, process.env.XDG_RUNTIME_DIR ?? null);
  yield tellOfTokens(stateDir);
  yield await checkPort(fixedDoor(files.workflows, options), stateDir);
  const webhooks = webhookDoor(files.workflows);
  if (webhooks !== null) yield await checkPort(webhooks, stateDir, 'webhook port');
  for (const workflow of files.workflows) {
    const {name} = workflow.settings;
    const named = (check: Check): Check =>
      files.workflows.length > 1 ? {...check, name: `${name}: ${check.name}`} : check;
    for (const mistake of await promptMistakes(workflow)) {
      yield named(
        warn('prompt', formatComplaint(mistake), 'mend the prompt: it would hold every issue'),
      );
    }
    yield named(await checkWorkspaceRoot(workflow));
    yield named(await checkTracker(workflow));
    const environment =
      login.ok && workflow.settings.agent.shell === 'plain' ? login.variables : null;
    const agent = await checkAgent(workflow, environment);
    for (const check of agent) yield named(check);
    yield named(checkPolicies(workflow));
    if (agent[0]?.status === 'ok') yield named(await checkSandbox(workflow, environment));
  }
}

function* workflowChecks({paths, workflows, errors, warnings}: WorkflowFiles): Generator<Check> {
  for (const error of errors) {
    yield fail('workflow', formatComplaint(error), 'symphony-supervisor validate lists all of it');
  }
  for (const warning of warnings) {
    yield warn(
      'workflow',
      formatComplaint(warning),
      'symphony-supervisor validate lists all of it',
    );
  }
  if (errors.length === 0) yield ok('workflow', `${paths.join(', ')}: ${workflows.length} valid`);
}

function lineOf({name, status, found, remedy}: Check): string {
  const line = `${MARKS[status]}  ${name}: ${plain(found)}`;
  return remedy === null ? line : `${line}\n      → ${remedy}`;
}
