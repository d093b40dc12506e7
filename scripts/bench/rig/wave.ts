import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Project} from './project.ts';

const BARE_ATTEMPT = fileURLToPath(new URL('./bare-attempt.mjs', import.meta.url));
let waves = 0;

/** How long so many bare attempts take, side by side, until the last of them is gone. */
export async function wave(project: Project, attempts: number): Promise<number> {
  const folder = join(project.path, `wave-${++waves}`);
  const names = Array.from({length: attempts}, (_, number) => join(folder, `W-${number}`));
  for (const name of names) await mkdir(name, {recursive: true});
  const env = {...process.env, HOME: project.home};
  const startedAt = performance.now();
  await Promise.all(
    names.map(async (cwd) => {
      const child = fork(BARE_ATTEMPT, [project.agent], {cwd, env, execArgv: []});
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`a bare attempt ended with exit code ${code}`);
    }),
  );
  return performance.now() - startedAt;
}
