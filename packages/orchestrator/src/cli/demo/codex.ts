import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readLoginEnvironment} from '@symphony-supervisor/protocol/processes';
import {EXIT, ExitWith} from '../exit.ts';
import {goodWorkflows} from '../read-workflows.ts';
import {probeAgent} from '../setup/agent-probe.ts';

/** Before anything is made: a demo without its agent shows nothing. */
export async function requireCodex(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'symphony-demo-'));
  try {
    const path = join(folder, 'WORKFLOW.md');
    await writeFile(path, '---\nname: demo\ntracker: {kind: memory}\n---\n');
    const [workflow] = (await goodWorkflows([path])).workflows;
    if (workflow === undefined) return;
    const login = await readLoginEnvironment({environment: process.env, secretNames: []});
    const {failure} = await probeAgent(workflow, login.ok ? login.variables : null);
    if (failure === null) return;
    const remedy = 'install it with `npm install -g @openai/codex` and log in with `codex login`';
    const what = `the real Codex cannot be used: ${failure.code}: ${failure.message}`;
    throw new ExitWith(
      EXIT.unexpected,
      `${what}\n${remedy}; without --codex a scripted agent plays`,
    );
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
