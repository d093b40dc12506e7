import {isAbsolute, relative, resolve, sep} from 'node:path';
import type {AgentAccess} from '@symphony-supervisor/protocol';
import {list, loose, text, textOrNull} from '@symphony-supervisor/protocol/transcript';
import type {PermissionRequest, ToolCallFields} from './messages.ts';

/** What the permission of an agent depends on. */
export interface PermissionRules {
  readonly access: AgentAccess;
  readonly permissions: 'allow' | 'ask';
  readonly cwd: string;
  /** Names under which agents know the tools of this run. */
  readonly ownTools: ReadonlySet<string>;
}

/** What is done about a request. `what` is for people. */
export type Decision =
  | {readonly is: 'allowed'; readonly what: string}
  | {readonly is: 'refused'; readonly what: string}
  /** Refused for now; a person decides. */
  | {readonly is: 'asked'; readonly what: string};

/** Kinds of tool calls that change nothing here. */
const READING: readonly unknown[] = ['read', 'search', 'think', 'fetch'];
/** Kinds whose title is free text of the model, and so no name of a tool. */
const TITLED_BY_MODEL: readonly unknown[] = ['execute', 'edit', 'delete', 'move'];

/** Once, if possible: an answer for good would be kept by the agent, and hold for runs with other rules. */
const ALLOWING = ['allow_once', 'allow_always'];
const REJECTING = ['reject_once', 'reject_always'];

export function decide(request: PermissionRequest, rules: PermissionRules): Decision {
  const decision = decideCall(request.toolCall, rules);
  const isOffered = request.options.some(({kind}) => ALLOWING.includes(kind));
  if (decision.is !== 'allowed' || isOffered) return decision;
  return {is: 'refused', what: `${decision.what} (the agent offers no way to allow it)`};
}

function decideCall(toolCall: ToolCallFields, rules: PermissionRules): Decision {
  const what = describeCall(toolCall);
  if (isOwnTool(toolCall, rules.ownTools)) return {is: 'allowed', what};
  if (!isWithinAccess(toolCall, rules)) {
    return {is: 'refused', what: `${what} (agent.access: ${rules.access})`};
  }
  return {is: rules.permissions === 'allow' ? 'allowed' : 'asked', what};
}

/** The answer for a decision. Options are told apart by kind: their ids and names are the agent's own. */
export function answerOf({is}: Decision, {options}: PermissionRequest): object {
  const kinds = is === 'allowed' ? ALLOWING : REJECTING;
  const chosen = kinds.flatMap((kind) => options.find((option) => option.kind === kind) ?? []);
  const optionId = chosen[0]?.optionId;
  return {
    outcome: optionId === undefined ? {outcome: 'cancelled'} : {outcome: 'selected', optionId},
  };
}

/** How agents call a tool of an MCP server. */
export function namesOf(server: string, tool: string): string[] {
  return [`mcp__${server}__${tool}`, ...['_', '__', '.', '/', ':'].map((by) => server + by + tool)];
}

function isOwnTool({name, title, kind}: ToolCallFields, ownTools: ReadonlySet<string>): boolean {
  if (typeof name === 'string') return ownTools.has(name);
  return !TITLED_BY_MODEL.includes(kind) && ownTools.has(title ?? '');
}

function isWithinAccess(call: ToolCallFields, {access, cwd}: PermissionRules): boolean {
  if (access === 'write' || READING.includes(call.kind)) return true;
  return access === 'artifact' && call.kind === 'edit' && isDocument(call, cwd);
}

/** All that it names is inside the workspace and outside of git's folder. A call that names nothing could be anywhere. */
function isDocument(call: ToolCallFields, cwd: string): boolean {
  const paths = list(call.locations).map((location) => text(loose(location).path));
  return (
    paths.length > 0 &&
    paths.every((path) => {
      const [first = '', ...rest] = relative(cwd, resolve(cwd, path)).split(sep);
      const isInside = first !== '..' && !isAbsolute(first) && path !== '';
      return isInside && first.toLowerCase() !== '.git' && (first !== '' || rest.length > 0);
    })
  );
}

/** `May I run: …`, without the question. */
export function describeCall(call: ToolCallFields): string {
  const input = loose(call.rawInput);
  const title = textOrNull(call.title) ?? textOrNull(call.name) ?? 'something that it did not name';
  switch (call.kind) {
    case 'execute':
      return `run ${textOrNull(input.command) ?? title}`;
    case 'edit':
    case 'delete':
    case 'move': {
      const paths = list(call.locations).flatMap((place) => textOrNull(loose(place).path) ?? []);
      return `${call.kind} ${paths.length > 0 ? paths.join(', ') : title}`;
    }
    default:
      return `use ${title}`;
  }
}
