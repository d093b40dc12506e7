import * as z from 'zod/mini';
import {countStates, notThere, type Survey} from '../survey.ts';
import type {LinearApi} from './api.ts';
import type {Catalogue} from './catalogue.ts';
import {Connection} from './pages.ts';
import {ISSUE_STATES, PROJECTS, TEAMS} from './queries.ts';
import type {IssueFilter, Scope} from './scope.ts';

const Team = z.object({id: z.string(), key: z.string(), name: z.string()});
type Team = z.infer<typeof Team>;
const Project = z.object({
  name: z.string(),
  slugId: z.string(),
  teams: z.object({nodes: z.array(Team)}),
});
const ProjectsAnswer = z.object({projects: z.object({nodes: z.array(Project)})});
const TeamsAnswer = z.object({teams: z.object({nodes: z.array(Team)})});
const StatesAnswer = z.object({issues: Connection});
const StateNode = z.object({state: z.object({name: z.string()})});

/** Enough to find the right one again; more would not fit a terminal. */
const OTHERS = 20;
/** Five thousand issues are enough to see which states are in use. */
const PAGE = 250;
const MAX_PAGES = 20;

interface Place {
  readonly name: string;
  readonly teams: readonly Team[];
}

export async function surveyLinear(
  api: LinearApi,
  catalogue: Catalogue,
  {filters, slugs, teamKey, assignee}: Scope,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<Survey> {
  const place = await findPlace(api, slugs, teamKey, signal);
  if ('others' in place) return notThere(place.others);
  const assigneeId = await catalogue.assigneeId(assignee, signal);
  const ours = assigneeId === null ? [] : [{assignee: {id: {eq: assigneeId}}}];
  const {states, isPartial} = await readStates(api, {and: [...filters, ...ours]}, signal);
  return {
    found: place.name,
    others: [],
    states: await statesOf(catalogue, place.teams, signal),
    counts: countStates(states.map((state) => ({state}))),
    isPartial,
    missingLabels: await missing(catalogue, place.teams, labels, signal),
  };
}

async function findPlace(
  api: LinearApi,
  slugs: readonly string[],
  teamKey: string | null,
  signal: AbortSignal,
): Promise<Place | {readonly others: readonly string[]}> {
  if (slugs.length > 0) {
    const [found] = await projects(api, {slugId: {in: slugs}}, 1, signal);
    if (found !== undefined) {
      const isOurs = ({key}: Team) => teamKey === null || sameKey(key, teamKey);
      return {name: `project ${found.name}`, teams: found.teams.nodes.filter(isOurs)};
    }
    const all = await projects(api, {}, OTHERS, signal);
    return {others: all.map(({name, slugId}) => `${slugId} (${name})`)};
  }
  const [found] = await teams(api, {key: {eqIgnoreCase: teamKey ?? ''}}, 1, signal);
  if (found !== undefined) return {name: `team ${found.name}`, teams: [found]};
  const all = await teams(api, {}, OTHERS, signal);
  return {others: all.map(({key, name}) => `${key} (${name})`)};
}

async function projects(api: LinearApi, filter: object, first: number, signal: AbortSignal) {
  return (await api.query(PROJECTS, {filter, first}, ProjectsAnswer, signal)).projects.nodes;
}

async function teams(api: LinearApi, filter: object, first: number, signal: AbortSignal) {
  return (await api.query(TEAMS, {filter, first}, TeamsAnswer, signal)).teams.nodes;
}

async function statesOf(
  catalogue: Catalogue,
  of: readonly Team[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const {id} of of) names.push(...(await catalogue.stateNames(id, signal)));
  return [...new Set(names)];
}

async function readStates(
  api: LinearApi,
  filter: IssueFilter,
  signal: AbortSignal,
): Promise<{readonly states: readonly string[]; readonly isPartial: boolean}> {
  const states: string[] = [];
  let after: string | null = null;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const variables: Record<string, unknown> = {filter, first: PAGE, after};
    const {issues} = await api.query(ISSUE_STATES, variables, StatesAnswer, signal);
    for (const node of issues.nodes) {
      const read = StateNode.safeParse(node);
      if (read.success) states.push(read.data.state.name);
    }
    after = issues.pageInfo.endCursor ?? null;
    if (!issues.pageInfo.hasNextPage || after === null) return {states, isPartial: false};
  }
  return {states, isPartial: true};
}

async function missing(
  catalogue: Catalogue,
  of: readonly Team[],
  labels: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const absent: string[] = [];
  for (const label of labels) {
    const ids = await Promise.all(of.map(({id}) => catalogue.labelId(id, label, signal)));
    if (ids.every((id) => id === null)) absent.push(label);
  }
  return absent;
}

function sameKey(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
