import type {Host} from '../../../src/shell/host/host.ts';
import {TranscriptFolder} from '../../../src/shell/host/local/transcript-folder.ts';

/** A host for what starts runners; the test brings the runners. */
export function fakeHost(
  start: Host['start'],
  startsAtOnce = 1,
): Pick<Host, 'start' | 'startsAtOnce' | 'transcripts'> {
  return {start, startsAtOnce, transcripts: new TranscriptFolder('/logs')};
}
