import {sameState} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import type {LinearApi} from './api.ts';
import {allPages, Connection} from './pages.ts';
import {LABELS_BY_NAME, TEAM_STATES, VIEWER} from './queries.ts';

const ViewerAnswer = z.object({viewer: z.object({id: z.string()})});
const StatesAnswer = z.object({workflowStates: Connection});
const LabelsAnswer = z.object({issueLabels: Connection});
const State = z.object({id: z.string(), name: z.string()});
type State = z.infer<typeof State>;
const Label = z.object({
  id: z.string(),
  name: z.string(),
  isGroup: z.boolean(),
  team: z.nullable(z.object({id: z.string()})),
});

const PAGE = 100;

/** Names to ids: cached, because they rarely change. */
export class Catalogue {
  readonly #api: LinearApi;
  readonly #states = new Map<string, readonly State[]>();
  #viewer: string | null = null;

  constructor(api: LinearApi) {
    this.#api = api;
  }

  /** `me` is the owner of the key. */
  async assigneeId(assignee: string | null, signal: AbortSignal): Promise<string | null> {
    if (assignee?.toLowerCase() !== 'me') return assignee;
    this.#viewer ??= (await this.#api.query(VIEWER, {}, ViewerAnswer, signal)).viewer.id;
    return this.#viewer;
  }

  /** Whether `stateId` can answer without a request. */
  knowsState(team: string, name: string): boolean {
    return this.#find(team, name) !== undefined;
  }

  /** An unknown state may be new, so the team is requested again. */
  async stateId(team: string, name: string, signal: AbortSignal): Promise<string> {
    const known = this.#find(team, name);
    if (known !== undefined) return known.id;
    this.#states.set(team, await this.#teamStates(team, signal));
    const found = this.#find(team, name);
    if (found !== undefined) return found.id;
    const names = this.#states.get(team)?.map((state) => state.name) ?? [];
    throw this.#api.problem(
      'invalid_tracker_config',
      `has no state "${name}" for this issue's team; existing states: ${names.join(', ')}`,
    );
  }

  async stateNames(team: string, signal: AbortSignal): Promise<string[]> {
    return (await this.#teamStates(team, signal)).map(({name}) => name);
  }

  /** Null: neither the team nor the workspace has such a label. */
  async labelId(team: string, name: string, signal: AbortSignal): Promise<string | null> {
    const filter = {
      name: {eqIgnoreCase: name.trim()},
      or: [{team: {null: true}}, {team: {id: {eq: team}}}],
    };
    const nodes = await allPages(this.#api, async (after) => {
      const variables = {filter, first: PAGE, after};
      return (await this.#api.query(LABELS_BY_NAME, variables, LabelsAnswer, signal)).issueLabels;
    });
    const labels = nodes.flatMap((node) => Label.safeParse(node).data ?? []);
    const usable = labels.filter((label) => !label.isGroup && sameState(label.name, name));
    // The team's own before the workspace's, where both have one.
    const own = usable.find((label) => label.team !== null) ?? usable[0];
    return own?.id ?? null;
  }

  #find(team: string, name: string): State | undefined {
    return this.#states.get(team)?.find((state) => sameState(state.name, name));
  }

  async #teamStates(team: string, signal: AbortSignal): Promise<readonly State[]> {
    const nodes = await allPages(this.#api, async (after) => {
      const variables = {team, first: PAGE, after};
      return (await this.#api.query(TEAM_STATES, variables, StatesAnswer, signal)).workflowStates;
    });
    return nodes.flatMap((node) => State.safeParse(node).data ?? []);
  }
}
