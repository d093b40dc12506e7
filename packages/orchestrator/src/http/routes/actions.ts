import type {FrontDesk} from '../../shell/front-desk.ts';
import {json, type Route, route} from '../api/route.ts';
import {ActionList, HowMany} from '../api/shapes.ts';

export function actionRoutes(desk: FrontDesk): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/actions',
      id: 'listActions',
      summary: 'The last orders, and who gave them',
      access: 'read',
      query: HowMany,
      answers: {200: {description: 'Newest first', schema: ActionList}},
      serve: ({query}) => json(200, {actions: desk.actions(query.limit)}),
    }),
  ];
}
