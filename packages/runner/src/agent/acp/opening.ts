import {type AgentJobOf, RunFailure} from '@symphony-supervisor/protocol';
import {type Loose, list, loose, text, textOrNull} from '@symphony-supervisor/protocol/transcript';
import {RefusedRequest} from '../wire/peer.ts';
import type {AcpConnection} from './connection.ts';
import {requestFailure, withDetails} from './failures.ts';
import type {AgentFacts} from './handshake.ts';
import {NewSessionResult} from './messages.ts';
import {presetOf} from './presets.ts';
import type {McpServerEntry} from './tools.ts';

type AcpJob = AgentJobOf<'acp'>;

/** What a conversation is opened with. */
export interface Opening {
  readonly job: AcpJob;
  readonly connection: AcpConnection;
  readonly cwd: string;
  readonly mcpServers: readonly McpServerEntry[];
}

/** A conversation that is open. */
export interface Opened {
  readonly sessionId: string;
  /** What the agent said of it: modes and options among other things. */
  readonly said: Loose;
}

export async function openNew(opening: Opening): Promise<Opened> {
  try {
    const said = await request(opening, 'session/new', {});
    return {sessionId: NewSessionResult.parse(said).sessionId, said: loose(said)};
  } catch (error) {
    throw requestFailure(error);
  }
}

/**
 * Goes on with a conversation, without its replay if the agent can. Returns why, if it cannot or does not: nothing is
 * lost but the agent's memory of it.
 */
export async function openRecorded(
  opening: Opening,
  facts: AgentFacts,
  sessionId: string,
): Promise<Opened | {refusal: string}> {
  const method = facts.canResume ? 'session/resume' : facts.canLoad ? 'session/load' : null;
  if (method === null) return {refusal: 'the agent cannot resume conversations'};
  try {
    const resumed = opening.connection.withoutReplay(() => request(opening, method, {sessionId}));
    return {sessionId, said: loose(await resumed)};
  } catch (error) {
    if (error instanceof RefusedRequest) return {refusal: withDetails(error)};
    throw requestFailure(error);
  }
}

function request(opening: Opening, method: string, params: object): Promise<unknown> {
  const {job, connection, cwd, mcpServers} = opening;
  const all = {...params, cwd, mcpServers, ...presetOf(job).opening(job, mcpServers)};
  return connection.peer.request(method, all, job.start_timeout_ms);
}

/** A setting of a conversation: the key that asks for it, and how agents classify the option. */
interface Wish {
  readonly key: string;
  readonly value: string;
  readonly category: 'mode' | 'model' | 'thought_level';
  /** Not asked for by the workflow: an agent that offers no such option can do without. */
  readonly isOurs?: true;
}

function wishesOf(job: AcpJob): Wish[] {
  const {mode: usual} = presetOf(job);
  const {mode, model, effort} = job;
  const wishes: Wish[] = [];
  if (mode !== null) wishes.push({key: 'acp.mode', value: mode, category: 'mode'});
  else if (usual !== null) {
    wishes.push({key: 'the mode', value: usual, category: 'mode', isOurs: true});
  }
  if (model !== null) wishes.push({key: 'agent.model', value: model, category: 'model'});
  if (effort !== null) wishes.push({key: 'agent.effort', value: effort, category: 'thought_level'});
  return wishes;
}

/** Mode, model and effort, in the agent's own words. What it does not take is no reason to work with something else. */
export async function configure(opening: Opening, {sessionId, said}: Opened): Promise<void> {
  const {job, connection} = opening;
  const send = (method: string, params: object) =>
    connection.peer.request(method, {sessionId, ...params}, job.start_timeout_ms);
  for (const {key, value, category, isOurs} of wishesOf(job)) {
    const option = list(said.configOptions).map(loose).find(isOf(category));
    const modes = loose(category === 'mode' ? said.modes : null);
    if ((option?.currentValue ?? modes.currentModeId) === value) continue;
    try {
      if (option !== undefined) {
        await send('session/set_config_option', {configId: text(option.id), value});
      } else if (list(modes.availableModes).length > 0) {
        await send('session/set_mode', {modeId: value});
      } else if (!isOurs) throw notOffered(key, value);
    } catch (error) {
      throw refusedWish(error, `${key} is ${value}`, option, modes);
    }
  }
}

function notOffered(key: string, value: string): RunFailure {
  const message = `${key} is ${value}, but the agent does not let it be chosen; name it in agent.command or in the agent's own configuration`;
  return new RunFailure('agent_incompatible', message);
}

/** The category is what agents agree on; one that gives none calls the option by that name. */
function isOf(category: string) {
  return (option: Loose): boolean =>
    option.category === category ||
    (textOrNull(option.category) === null && option.id === category);
}

function refusedWish(error: unknown, wish: string, option: Loose | undefined, modes: Loose) {
  if (!(error instanceof RefusedRequest)) return requestFailure(error);
  const offered = [...list(option?.options), ...list(modes.availableModes)]
    .map(loose)
    .flatMap((one) => textOrNull(one.value) ?? (option === undefined ? text(one.id) : []))
    .filter((name) => name !== '')
    .slice(0, 20);
  const known = offered.length === 0 ? '' : `; it offers ${offered.join(', ')}`;
  const message = `${wish}, which the agent refused: ${withDetails(error)}${known}`;
  return new RunFailure('agent_incompatible', message, {cause: error});
}
