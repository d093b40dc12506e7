import type {Workflow} from '@symphony-supervisor/protocol';
import {TrackerThread} from '../../shell/tracker-thread.ts';
import {addressOf, trackerPage} from '../documentation.ts';
import {bundle} from '../places.ts';
import {type Check, fail, ok, warn} from './check.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  missing_tracker_secret: 'set the variable, or write the file, that the workflow names',
  tracker_request: 'check the address in tracker.provider, the network, and proxy variables',
  tracker_rate_limited: 'wait, or use a key of its own for the supervisor',
};

/** One read in one state: cheap, and it needs the same rights as a tick. */
export async function checkTracker({settings}: Workflow): Promise<Check> {
  const {name, tracker} = settings;
  await using thread = new TrackerThread({
    filename: bundle('tracker-thread.js'),
    environment: process.env,
    onTrouble: () => {},
  });
  const opened = await thread.open(name, tracker);
  const read = opened.ok
    ? await thread.issuesByStates(name, tracker.activeStates.slice(0, 1))
    : opened;
  if (!read.ok) {
    const {code, message} = read.failure;
    const remedy =
      code === 'tracker_auth'
        ? `make a new key and set the variable or file with it; the rights it needs: ${trackerPage(tracker.kind)}`
        : (REMEDIES[code] ?? `look the code up: ${addressOf('failures')}`);
    return fail('tracker', `${tracker.kind}: ${code}: ${message}`, remedy);
  }
  const {length} = read.value;
  const issues = length === 1 ? 'issue' : 'issues';
  const found = `${tracker.kind}: ${length} ${issues} in state ${tracker.activeStates[0] ?? '–'}`;
  const [warning] = read.warnings;
  if (warning === undefined) return ok('tracker', found);
  const example = warning.examples[0] ?? '';
  return warn(
    'tracker',
    `${found}; ${warning.count} cannot be read: ${example}`,
    'mend those issues',
  );
}
