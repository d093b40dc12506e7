import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import type {StateText} from '../answers/state-text.ts';
import {type Asked, json, type Route, route} from '../api/route.ts';
import {OrderTaken, ProjectOrder, RefreshTaken} from '../api/shapes.ts';
import {ApiError} from '../api-error.ts';

type Command = 'pause' | 'resume' | 'refresh';

/** Orders for one project or for all. */
export function projectRoutes(api: SupervisorApi, state: StateText): Route[] {
  const direct = (by: string, command: Command, project: string | null): void => {
    if (api.direct(by, command, project).is === 'unknown') {
      throw new ApiError('project_not_found', `there is no project ${project}`);
    }
    state.forget();
  };

  const dispatch = (command: 'pause' | 'resume', summary: string): Route =>
    route({
      method: 'POST',
      path: `/api/v1/${command}`,
      id: `${command}Dispatch`,
      summary,
      access: 'control',
      body: ProjectOrder,
      answers: {202: {description: 'The order is accepted', schema: OrderTaken}},
      errors: ['project_not_found'],
      serve: ({body, by}) => {
        const project = body.project ?? null;
        direct(by, command, project);
        return json(202, {
          ...{accepted: true, command, issue_identifier: null, project, by},
          requested_at: new Date().toISOString(),
        } satisfies OrderTaken);
      },
    });

  return [
    dispatch(
      'pause',
      'Stop dispatch, including retries; current runs continue. Survives a restart',
    ),
    dispatch('resume', 'Dispatch again'),
    route({
      method: 'POST',
      path: '/api/v1/refresh',
      id: 'refresh',
      summary: 'Poll the tracker now',
      access: 'control',
      body: ProjectOrder,
      answers: {202: {description: 'A tick is running or follows', schema: RefreshTaken}},
      errors: ['project_not_found'],
      serve: ({body, by}: Asked<unknown, {project?: string | null | undefined}>) => {
        const project = body.project ?? null;
        const coalesced = api.isTicking(project);
        direct(by, 'refresh', project);
        return json(202, {
          ...{queued: true, coalesced, requested_at: new Date().toISOString()},
          operations: ['poll', 'reconcile'],
        } satisfies RefreshTaken);
      },
    }),
  ];
}
