import * as z from 'zod/mini';
import {type Answered, answer} from '../answer.ts';
import {countStates, notThere, type Survey} from '../survey.ts';
import type {GithubApi} from './api.ts';
import type {GithubProvider} from './provider.ts';
import {PROJECT_OPTIONS, REPOSITORY} from './read/queries.ts';
import type {GithubReader} from './read/read.ts';
import {CLOSED, OPEN} from './state.ts';

const RepositoryAnswer = z.object({
  repository: z.object({
    nameWithOwner: z.string(),
    hasIssuesEnabled: z.boolean(),
    closed: z.object({totalCount: z.int()}),
  }),
});

const Options = z.object({options: z.array(z.object({name: z.string()}))});
const OptionsAnswer = z.object({
  repository: z.object({
    owner: z.object({projectV2: z.nullable(z.object({field: z.nullable(Options)}))}),
  }),
});

export async function surveyGithub(
  api: GithubApi,
  provider: GithubProvider,
  reader: GithubReader,
  requiredLabels: readonly string[],
  signal: AbortSignal,
): Promise<Answered<Survey>> {
  const {status} = await api.get(api.repoPath, signal, [404]);
  if (status === 404) return answer(notThere([]));
  const {owner, name} = provider;
  const reply = await api.query({query: REPOSITORY, variables: {owner, name}, signal});
  const parsed = RepositoryAnswer.safeParse(reply.data);
  if (!parsed.success) {
    const said = reply.errors[0]?.message ?? 'in another form';
    throw api.problem('tracker_response', `does not describe the repository: ${said}`);
  }
  const {nameWithOwner, hasIssuesEnabled, closed} = parsed.data.repository;
  const states = await statesOf(api, provider, signal);
  const {issues, warnings} = await reader.openIssues(signal);
  const over = closed.totalCount === 0 ? [] : [{state: CLOSED, count: closed.totalCount}];
  const isOff = hasIssuesEnabled ? '' : ', whose issues are disabled';
  return answer(
    {
      found: `repository ${nameWithOwner}${isOff}`,
      others: [],
      states,
      counts: [...countStates(issues), ...over],
      isPartial: false,
      missingLabels: await missing(api, wantedLabels(provider, requiredLabels), signal),
    },
    warnings,
  );
}

/** null: the project or its field is not visible, so its states are unknown. */
async function statesOf(
  api: GithubApi,
  {owner, name, project, stateLabels}: GithubProvider,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  if (project === null) return [...stateLabels.map(({state}) => state), OPEN, CLOSED];
  const variables = {owner, name, number: project.number, field: project.field};
  const {data} = await api.query({query: PROJECT_OPTIONS, variables, signal});
  const field = OptionsAnswer.safeParse(data).data?.repository.owner.projectV2?.field;
  if (!field) {
    const what = `shows no project ${project.number} of ${owner} with a field "${project.field}"`;
    const remedy =
      'check tracker.provider.project_number and status_field, and that the token may read projects';
    throw api.problem('invalid_tracker_config', `${what}; ${remedy}`);
  }
  return [...field.options.map((option) => option.name), OPEN, CLOSED];
}

function wantedLabels({stateLabels}: GithubProvider, required: readonly string[]): string[] {
  const all = [...stateLabels.map(({label}) => label), ...required];
  return [...new Set(all.filter((label) => label.trim() !== ''))];
}

async function missing(
  api: GithubApi,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const absent: string[] = [];
  for (const label of labels) {
    const path = `${api.repoPath}/labels/${encodeURIComponent(label)}`;
    const {status} = await api.get(path, signal, [404]);
    if (status === 404) absent.push(label);
  }
  return absent;
}
