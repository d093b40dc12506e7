import {dirname, resolve} from 'node:path';
import {nearest} from '../nearest.ts';
import {WORKER} from '../role.ts';
import type {AgentSettings, DispatchRule, Prompt, Role, TrackerSettings} from '../settings.ts';
import {stateKey} from '../wire/issue.ts';
import {resolveRoleAgent} from './agent.ts';
import type {FileContext} from './context.ts';
import type {GivenSettings} from './keys/schema.ts';
import type {PromptFile} from './prompt-file.ts';
import type {Findings} from './text/findings.ts';

type GivenRole = GivenSettings['roles'][string];

/** A role is part of file names, log fields and labels of metrics. */
const NAME = /^[a-z][a-z0-9_-]{0,39}$/;
/** Every candidate is compared with every role, and a prompt of each is kept. */
const MAX_ROLES = 50;

export interface RolesReading {
  readonly promptFiles: readonly PromptFile[];
  /** With the prompts that have been supplied by then; undefined: the file has no roles. */
  readonly conclude: () => readonly Role[] | undefined;
}

/** Checks the roles, and resolves each against the settings of the file, which it overrides. */
export function resolveRoles(
  given: GivenSettings,
  own: {readonly agent: AgentSettings; readonly prompt: Prompt; readonly tracker: TrackerSettings},
  context: FileContext,
  findings: Findings,
): RolesReading {
  const entries = Object.entries(given.roles);
  if (entries.length > MAX_ROLES) {
    const message = `roles has ${entries.length} entries; give at most ${MAX_ROLES}`;
    findings.error('invalid_setting', ['roles'], message);
  }
  const promptFiles: PromptFile[] = [];
  const roles = entries.slice(0, MAX_ROLES).map(([name, role]) => {
    checkName(name, findings);
    checkProduct(name, role, findings);
    let {prompt} = own;
    if (role.prompt !== null) {
      const key = ['roles', name, 'prompt'];
      const file = role.prompt;
      prompt = {template: '', engine: own.prompt.engine, file};
      promptFiles.push({
        path: resolve(dirname(resolve(context.path)), file),
        report: (problem) =>
          findings.error('invalid_setting', key, `${findings.asGiven(key)}, which ${problem}`),
        supply: (template) => {
          prompt = {...prompt, template};
        },
      });
    }
    const agent = resolveRoleAgent(given, role, own.agent, forRole(name, findings));
    const when = resolveRule(name, role.when, own.tracker, findings);
    return () => ({name, when, agent, prompt});
  });
  const conclude = () => (roles.length === 0 ? undefined : roles.map((role) => role()));
  return {promptFiles, conclude};
}

function checkName(name: string, findings: Findings): void {
  if (name === WORKER) {
    const message = `roles.${WORKER} is reserved: it is this file itself; give the role another name`;
    findings.error('invalid_setting', ['roles', name], message);
  } else if (!NAME.test(name)) {
    const form = 'a lower-case letter, then up to 39 letters, digits, "-" and "_"';
    const message = `the name of a role is ${JSON.stringify(name)}; give ${form}`;
    findings.error('invalid_setting', ['roles', name], message);
  }
}

function checkProduct(
  name: string,
  {product, parent, access}: GivenRole,
  findings: Findings,
): void {
  const key = ['roles', name, 'product'];
  if (product === 'subtasks' || product === 'issues') {
    const message = `${findings.asGiven(key)}, which is not available yet; leave it out`;
    findings.error('invalid_setting', key, message);
  } else if (product === 'code' && access === 'read') {
    const reason = `but roles.${name}.access is read, and such an agent makes no code`;
    findings.error('invalid_setting', key, `${findings.asGiven(key)}, ${reason}`);
  }
  if (parent !== null && product !== 'subtasks') {
    const parentKey = ['roles', name, 'parent'];
    const reason = 'which says something with product: subtasks only; leave it out';
    findings.error('invalid_setting', parentKey, `${findings.asGiven(parentKey)}, ${reason}`);
  }
}

function resolveRule(
  name: string,
  given: GivenRole['when'],
  tracker: TrackerSettings,
  findings: Findings,
): DispatchRule | null {
  const key = ['roles', name, 'when'];
  if (given === null) {
    const message = `roles.${name} has no when, so no issue is given to it`;
    if (findings.isSound(key)) findings.warn('unused_role', ['roles', name], message);
    return null;
  }
  const {labels, states, priority, title} = given;
  const isEmpty = [labels, states, priority, title].every((list) => list === null);
  // A rule without conditions would take every issue from the roles below it and from the file.
  if (isEmpty && findings.isSound(key)) {
    findings.reject(key, 'at least one of labels, states, priority, title');
  }
  warnOfStates([...key, 'states'], states ?? [], tracker, findings);
  return {
    labels: labels?.map((label) => label.trim().toLowerCase()) ?? null,
    states: states?.map(stateKey) ?? null,
    priority,
    title: title?.map((part) => part.toLowerCase()) ?? null,
  };
}

/** Only issues in active states are reserved, so a rule with other states is a slip. */
function warnOfStates(
  key: readonly string[],
  states: readonly string[],
  {activeStates}: TrackerSettings,
  findings: Findings,
): void {
  const active = activeStates.map(stateKey);
  for (const state of states.filter((one) => !active.includes(stateKey(one)))) {
    const meant = nearest(state, activeStates);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    const message = `${key.join('.')} has ${JSON.stringify(state)}, which is not an active state${hint}`;
    findings.warn('unknown_value', key, message);
  }
}

/** What is wrong for one role only: the section of its agent is that of all roles. */
function forRole(name: string, findings: Findings): Findings {
  return {
    ...findings,
    error: (code, key, message) => findings.error(code, key, `for roles.${name}: ${message}`),
  };
}
