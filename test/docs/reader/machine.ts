import {execFile} from 'node:child_process';
import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {aFolder} from '../../rig/fixtures/folder.ts';
import {ROOT} from './markdown.ts';

const run = promisify(execFile);

/** A loaded machine may take its time to start a process; no test is about that. */
export function patient(workflow: string): string {
  return workflow.replace(/^codex:\n/m, 'codex:\n  read_timeout_ms: 30000\n');
}

/** What the agent does, whatever it is told. */
const WORK = [
  {run: 'echo hello > hello.txt && git add hello.txt && git commit -qm "Say hello"'},
  {tool: 'update_issue', arguments: {state: 'Done'}},
];

/** A home folder with a profile that finds our commands, and an agent in the place of `codex`. */
export async function aMachine(more: Readonly<Record<string, string>> = {}) {
  const folder = await aFolder();
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  for (const name of ['symphony-supervisor', 'symphony-runner']) {
    await symlink(join(ROOT, 'packages/orchestrator/bin', `${name}.js`), join(bin, name));
  }
  const agent = join(ROOT, 'scripts/dist/scripted-agent.js');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${agent}' --script-json '${JSON.stringify(WORK)}'\n`;
  await writeFile(join(bin, 'codex'), script);
  await chmod(join(bin, 'codex'), 0o755);
  // The shells of agents and hooks are login shells, and some systems give those a PATH of their own.
  await writeFile(join(folder.path, '.profile'), `PATH='${bin}':"$PATH"\n`);
  const env = {
    ...{HOME: folder.path, PATH: `${bin}:${process.env.PATH}`},
    ...{GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.test'},
    ...{GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.test'},
    ...more,
  };
  return {
    path: folder.path,
    async sh(script: string) {
      const options = {cwd: folder.path, env: {...process.env, ...env}};
      return (await run('sh', ['-ec', script], options)).stdout;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
