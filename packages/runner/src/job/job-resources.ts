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

/** Between SIGTERM and SIGKILL for the processes that a run has left behind. */
const LEFTOVER_GRACE_MS = 500;

/** The resources that every job uses. */
export interface JobResources {
  readonly link: RunnerLink;
  readonly transcript: Transcript;
  readonly processes: RunProcesses;
  /** The environment of this process, as it was started. */
  readonly environment: Environment;
  readonly stop: StopSignal;
  readonly mask: Mask;
}

/** A temporary folder of one run, deleted with it. */
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

/** Undeletable files are reported separately: they are not a failure of the run. */
export function reportStuck({link}: JobResources): OnStuck {
  return ({path, sizeKb, reason}) =>
    link.report({type: 'trash_stuck', path, size_kb: sizeKb, reason});
}

/** Ends the processes that hooks and agents have left when the run ends. */
export function endLeftovers({processes, link, stop}: JobResources): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      for (const {pid} of await processes.endAll(stop.stepLimit(LEFTOVER_GRACE_MS))) {
        link.report({type: 'note', message: `process ${pid} could not be ended`});
      }
    },
  };
}
