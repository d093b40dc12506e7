import {otherAgentsOf, profileNamed, type Workflow} from '@symphony-supervisor/protocol';
import {probeAgent} from '../setup/agent-probe.ts';
import {checksOf, type Environment} from './agent-checks.ts';
import {type Check, fail, ok, skip} from './check.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  response_timeout:
    'run agent.command by hand; a slow machine needs a larger agent.read_timeout_ms',
};

/** Whether the agent answers and is logged in, and what it may do. */
export async function* checkAgent(
  workflow: Workflow,
  environment: Environment,
): AsyncGenerator<Check, void> {
  const {agent} = workflow.settings;
  const {remedies, protection, trySandbox} = checksOf(agent);
  const {version, logged_in: isLoggedIn, failure} = await probeAgent(workflow, environment);
  const isThere = failure === null || failure.code === 'unauthorized';
  if (isThere) {
    yield ok('agent', `${agent.command}, version ${version ?? 'unknown'}`);
    yield checkLogin(isLoggedIn, remedies.unauthorized ?? '');
  } else {
    const remedy = remedies[failure.code] ?? REMEDIES[failure.code] ?? 'run agent.command by hand';
    yield fail('agent', `${agent.command}: ${failure.code}: ${failure.message}`, remedy);
  }
  yield protection(agent);
  if (isThere) yield await trySandbox(agent, environment);
}

/** Agents of kinds that only roles have; and what the others of the file's kind may do. */
export async function* checkRoles(
  workflow: Workflow,
  environment: Environment,
): AsyncGenerator<Check, void> {
  const others = otherAgentsOf(workflow);
  const told = new Set([workflow.settings.agent.access]);
  for (const {name: role, agent} of workflow.roles ?? []) {
    const ofRole = (check: Check): Check => ({...check, name: `${check.name} (role ${role})`});
    const isTried = others.get(agent.options.kind) === agent;
    if (isTried) {
      const ownWorkflow = profileNamed(workflow, role).workflow;
      for await (const check of checkAgent(ownWorkflow, environment)) yield ofRole(check);
    } else if (!others.has(agent.options.kind) && !told.has(agent.access)) {
      told.add(agent.access);
      yield ofRole(checksOf(agent).protection(agent));
    }
  }
}

function checkLogin(isLoggedIn: boolean | null, remedy: string): Check {
  if (isLoggedIn === null) return skip('login', 'the agent does not report it');
  return isLoggedIn ? ok('login', 'logged in') : fail('login', 'not logged in', remedy);
}
