import {join} from 'node:path';
import type {Mask} from '@symphony-supervisor/protocol';
import type {RunnerLink} from '../host/link.ts';
import {mkdir, rmdir} from '../processes/files.ts';
import type {RunProcesses} from '../processes/run-processes.ts';
import type {Transcript} from '../transcript/transcript.ts';
import type {Layout} from '../workspace/layout.ts';
import {discard, type OnStuck} from '../workspace/trash.ts';
import type {Environment} from './environment.ts';
import type {StopSignal} from './stop-signal.ts';

/** Between a polite word to whatever a run has left behind, and the end of it. */
const LEFTOVER_GRACE_MS = 500;

/** What every job works with. */
export interface Room {
  readonly link: RunnerLink;
  readonly transcript: Transcript;
  readonly processes: RunProcesses;
  /** Ours, as this process got it. */
  readonly environment: Environment;
  readonly stop: StopSignal;
  readonly mask: Mask;
}

/** A temporary folder that belongs to one run and goes with it. */
export async function privateTmp(
  layout: Layout,
  runId: string,
  onStuck: OnStuck,
): Promise<AsyncDisposable & {path: string}> {
  const path = join(layout.tmp, runId);
  await mkdir(path, {recursive: true, mode: 0o700});
  return {
    path,
    [Symbol.asyncDispose]: () =>
      rmdir(path).catch(() => discard(layout, onStuck, path).catch(() => {})),
  };
}

/** What cannot be deleted is reported separately: it is not a failure of the run. */
export function reportStuck({link}: Room): OnStuck {
  return ({path, sizeKb, reason}) =>
    link.report({type: 'trash_stuck', path, size_kb: sizeKb, reason});
}

/** Whatever hooks and agents have left running ends with the run. */
export function endLeftovers({processes, link, stop}: Room): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      for (const {pid} of await processes.endAll(stop.stepLimit(LEFTOVER_GRACE_MS))) {
        link.report({type: 'note', message: `process ${pid} could not be ended`});
      }
    },
  };
}
