import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import {json, type Route, route} from '../api/route.ts';
import {ActionList, HowMany} from '../api/shapes.ts';

export function actionRoutes(api: SupervisorApi): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/actions',
      id: 'listActions',
      summary: 'The last orders, with their source',
      access: 'read',
      query: HowMany,
      answers: {200: {description: 'Newest first', schema: ActionList}},
      serve: ({query}) => json(200, {actions: api.actions(query.limit)}),
    }),
  ];
}
