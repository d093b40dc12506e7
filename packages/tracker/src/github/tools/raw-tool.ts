import type {ToolResult, ToolSpec} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {TrackerProblem} from '../../answer.ts';
import {complaintOf, refused} from '../../update/update-tool.ts';
import type {GithubApi} from '../api.ts';
import {isInDoubt} from '../write/edits.ts';
import {pathComplaint} from './raw-path.ts';

export const RAW_TOOL = 'github_api';

/** An agent reads the result; a longer one has to be requested in pages. */
const MAX_RESULT_CHARACTERS = 100_000;

const Arguments = z.strictObject({
  method: z
    .enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'], 'must be GET, POST, PATCH, PUT or DELETE')
    .check(z.describe('The HTTP method.')),
  path: z
    .string('must be text')
    .check(
      z.maxLength(2_000, 'must have at most 2000 characters'),
      z.describe('A path of the REST API inside the repository: /repos/{owner}/{name}/…'),
    ),
  body: z.optional(z.json().check(z.describe('Sent as JSON.'))),
});

export function rawToolSpec({repoPath}: GithubApi): ToolSpec {
  const {$schema: _, ...schema} = z.toJSONSchema(Arguments, {io: 'input'});
  return {
    name: RAW_TOOL,
    description: `Calls GitHub's REST API, below ${repoPath} only.`,
    input_schema: schema as ToolSpec['input_schema'],
  };
}

export async function callRawTool(
  args: unknown,
  api: GithubApi,
  signal: AbortSignal,
): Promise<ToolResult> {
  const parsed = Arguments.safeParse(args);
  if (!parsed.success) return refused('invalid_arguments', complaintOf(parsed.error.issues));
  const {method, path, body} = parsed.data;
  const isRead = method === 'GET';
  const complaint = pathComplaint(path, api.repoPath, isRead);
  if (complaint !== null) return refused('invalid_arguments', complaint);
  if (isRead && body !== undefined) return refused('invalid_arguments', 'a GET has no body');
  try {
    const sent = {...(body === undefined ? {} : {body}), idempotent: isRead, signal};
    const {status, value} = await api.send(method, path, sent);
    return {success: true, content: {status, ...bounded(value)}, wrote: !isRead};
  } catch (error) {
    const wrote = !isRead && isInDoubt(error);
    if (error instanceof TrackerProblem) {
      return {...refused(error.failure.code, error.message), wrote};
    }
    if (signal.aborted) return {...refused('tracker_request', 'the call was aborted'), wrote};
    throw error;
  }
}

function bounded(value: unknown) {
  const text = JSON.stringify(value ?? null);
  if (text.length <= MAX_RESULT_CHARACTERS) return {body: z.json().parse(value ?? null)};
  return {body: text.slice(0, MAX_RESULT_CHARACTERS), truncated: true};
}
