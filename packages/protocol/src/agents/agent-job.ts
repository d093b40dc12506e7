import * as z from 'zod/mini';
import {AcpOptions} from './acp/options.ts';
import {ClaudeOptions} from './claude/options.ts';
import {CodexOptions} from './codex/options.ts';

const ms = z.int().check(z.minimum(1));

/** What an agent may do to its workspace: change it, add documents to it, or only read it. */
export const AgentAccess = z.enum(['write', 'artifact', 'read']);
export type AgentAccess = z.infer<typeof AgentAccess>;

/** What every kind of agent is told. */
const shared = {
  command: z.string(),
  model: z.nullable(z.string()),
  effort: z.nullable(z.string()),
  access: AgentAccess,
  /** The longest silence within a turn. */
  turn_timeout_ms: ms,
  /** The longest wait for an answer to a request. */
  read_timeout_ms: ms,
};

/** Those fields of a job, whatever its kind. */
const AgentBasics = z.object(shared);
export type AgentBasics = z.infer<typeof AgentBasics>;

/** The agent of a job. This is the list of kinds that the wire knows. */
export const AgentJob = z.discriminatedUnion('kind', [
  z.extend(CodexOptions, shared),
  z.extend(ClaudeOptions, shared),
  z.extend(AcpOptions, shared),
]);
export type AgentJob = z.infer<typeof AgentJob>;

export type AgentKind = AgentJob['kind'];

/** The job of one kind. */
export type AgentJobOf<Kind extends AgentKind> = Extract<AgentJob, {kind: Kind}>;

type WithoutShared<Job> = Job extends AgentJob ? Omit<Job, keyof typeof shared> : never;

/** The part of a job that only its kind has. */
export type AgentOptions = WithoutShared<AgentJob>;
