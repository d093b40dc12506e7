import * as z from 'zod/mini';
import type {GithubProvider} from '../provider.ts';
import {SET_STATUS, STATUS_OPTIONS} from '../read/queries.ts';
import {type WriteContext, writing} from '../write/edits.ts';

/** An issue's item in the project, and the states it can move to. */
export interface ProjectItem {
  readonly id: string;
  readonly projectId: string;
  readonly fieldId: string;
  readonly options: readonly {readonly id: string; readonly name: string}[];
}

const Owner = z.object({id: z.string()});
const Field = z.object({
  id: z.string(),
  options: z.array(z.object({id: z.string(), name: z.string()})),
});
const Node = z.object({
  id: z.string(),
  // A field of another kind comes as an empty object.
  project: z.object({id: z.string(), number: z.int(), owner: Owner, field: z.unknown()}),
});
const Answer = z.object({
  repository: z.object({
    owner: Owner,
    issue: z.object({projectItems: z.object({nodes: z.array(z.nullable(Node))})}),
  }),
});

/** null: the issue is not in the project, or the project has no such field. */
export async function itemOf(
  number: number,
  project: NonNullable<GithubProvider['project']>,
  {api, provider: {owner, name}, signal}: WriteContext,
): Promise<ProjectItem | null> {
  const variables = {owner, name, number, field: project.field};
  const reply = await api.query({query: STATUS_OPTIONS, variables, signal});
  const parsed = Answer.safeParse(reply.data);
  if (!parsed.success || reply.errors.length > 0) {
    const said = reply.errors[0]?.message ?? 'in another form';
    throw api.problem(
      'tracker_response',
      `sent the issue's place in the project incomplete: ${said}`,
    );
  }
  const {repository} = parsed.data;
  const node = repository.issue.projectItems.nodes.find(
    (item) =>
      item?.project.number === project.number && item.project.owner.id === repository.owner.id,
  );
  const field = Field.safeParse(node?.project.field);
  if (!node || !field.success) return null;
  return {
    id: node.id,
    projectId: node.project.id,
    fieldId: field.data.id,
    options: field.data.options,
  };
}

export async function setStatus(
  {id, projectId, fieldId}: ProjectItem,
  option: string,
  context: WriteContext,
): Promise<void> {
  const {api, signal} = context;
  const variables = {project: projectId, item: id, field: fieldId, option};
  await writing(context, () => api.mutate({query: SET_STATUS, variables, signal}));
}
