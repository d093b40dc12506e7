import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Performers, TurnStage} from '../script/stage.ts';

export const once: Performers<'once', TurnStage> = {
  /**
   * Does one thing the first time (or `times`) it comes here in this workspace, another thing later,
   * also over restarts: "fail at first, then succeed". Counted before the steps, which may be our last.
   */
  async once(step, {turn, host, perform}) {
    const {createHash} = await import('node:crypto');
    const place = JSON.stringify([turn.cwd, step]);
    const folder = join(host.home, 'once');
    const path = join(folder, createHash('sha256').update(place).digest('hex').slice(0, 16));
    const done = countIn(path);
    if (done >= (step.times ?? 1)) return perform(step.later ?? []);
    mkdirSync(folder, {recursive: true});
    writeFileSync(path, String(done + 1));
    return perform(step.once);
  },
};

function countIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}
