import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {AgentKind} from '@symphony-supervisor/protocol';
import {readLoginEnvironment} from '@symphony-supervisor/protocol/processes';
import {AGENT_PROFILES} from '@symphony-supervisor/protocol/workflow';
import {checksOf} from '../doctor/agent-checks.ts';
import {EXIT, ExitWith} from '../exit.ts';
import {goodWorkflows} from '../read-workflows.ts';
import {probeAgent} from '../setup/agent-probe.ts';

/** An installed agent in place of the scripted one. */
export interface RealAgent {
  readonly kind: AgentKind;
  readonly command: string;
}

/** Checked before anything is created: a demo without its agent shows nothing. */
export async function requireAgent(named: string): Promise<RealAgent> {
  const kinds = Object.keys(AGENT_PROFILES) as AgentKind[];
  const kind = kinds.find((known) => known === named);
  if (kind === undefined) {
    throw new ExitWith(EXIT.usage, `--agent: there is no "${named}"; give ${kinds.join(' or ')}`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'symphony-demo-'));
  try {
    const path = join(folder, 'WORKFLOW.md');
    await writeFile(
      path,
      `---\nname: demo\ntracker: {kind: memory}\nagent: {kind: ${kind}}\n---\n`,
    );
    const [workflow] = (await goodWorkflows([path])).workflows;
    const command = workflow?.settings.agent.command ?? '';
    if (workflow === undefined) return {kind, command};
    const login = await readLoginEnvironment({environment: process.env, secretNames: []});
    const {failure} = await probeAgent(workflow, login.ok ? login.variables : null);
    if (failure === null) return {kind, command};
    const {name} = AGENT_PROFILES[kind];
    const remedy = checksOf(workflow.settings.agent).remedies[failure.code] ?? `try ${command}`;
    const what = `the real ${name} cannot be used: ${failure.code}: ${failure.message}`;
    throw new ExitWith(
      EXIT.unexpected,
      `${what}\n${remedy}; without --agent the demo uses a scripted agent`,
    );
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
