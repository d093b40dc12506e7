import {readFile} from 'node:fs/promises';
import type {Issue, TrackerSettings} from '@symphony-supervisor/protocol';
import {
  type Answer,
  openTracker,
  secretResolver,
  type TrackerAdapter,
} from '@symphony-supervisor/tracker';
import {ExitWith} from './exit.ts';

export const TRACKER_LIMIT_MS = 30_000;

/** The tracker of the workflow; or, for an issue from a file, one that holds only this issue. */
export async function trackerFor(
  settings: TrackerSettings,
  issueFile: string | null,
  environment: NodeJS.ProcessEnv,
): Promise<TrackerAdapter> {
  const effective =
    issueFile === null
      ? settings
      : {...settings, kind: 'memory', provider: {issues: [await readIssueFile(issueFile)]}};
  const opened = await openTracker(effective, {resolveSecret: secretResolver(environment)});
  return unwrap(opened, issueFile);
}

export async function findIssue(
  tracker: TrackerAdapter,
  settings: TrackerSettings,
  identifier: string | null,
  issueFile: string | null,
): Promise<Issue> {
  const found = await lookUp(tracker, settings, identifier);
  const issue = found.find(
    (candidate) => identifier === null || candidate.identifier === identifier,
  );
  if (issue !== undefined) return issue;
  const where = issueFile ?? `the ${settings.kind} tracker`;
  throw new ExitWith(2, `there is no issue ${identifier ?? ''} in ${where}`);
}

async function lookUp(
  tracker: TrackerAdapter,
  {activeStates, terminalStates}: TrackerSettings,
  identifier: string | null,
): Promise<readonly Issue[]> {
  const signal = AbortSignal.timeout(TRACKER_LIMIT_MS);
  return identifier !== null && tracker.issuesByIdentifiers !== undefined
    ? unwrap(await tracker.issuesByIdentifiers([identifier], signal), null)
    : unwrap(await tracker.issuesByStates([...activeStates, ...terminalStates], signal), null);
}

function unwrap<T>(answer: Answer<T>, issueFile: string | null): T {
  if (answer.ok) return answer.value;
  const {code, message} = answer.failure;
  if (issueFile !== null) throw new ExitWith(2, `${issueFile}: ${message}`);
  throw new ExitWith(4, `${code}: ${message}`);
}

async function readIssueFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExitWith(2, `the issue file ${path} cannot be read: ${reason}`);
  }
}
