import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import type {EventStream} from '../answers/event-stream.ts';
import type {StateText} from '../answers/state-text.ts';
import {JSON_TYPE, json, type Route, route} from '../api/route.ts';
import {Health, Snapshot} from '../api/shapes.ts';

export function stateRoutes(api: SupervisorApi, state: StateText, events: EventStream): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/state',
      id: 'getState',
      summary: 'The whole snapshot: claims, waiting candidates, projects, totals',
      access: 'read',
      answers: {
        200: {
          description:
            'The current state. `waiting` has the first 100 candidates; `counts.waiting` is their total number.',
          schema: Snapshot,
        },
      },
      serve: () => ({status: 200, type: JSON_TYPE, body: state.now()}),
    }),
    route({
      method: 'GET',
      path: '/api/v1/events',
      id: 'watchState',
      summary: 'The state after each change, batched to a few times a second',
      access: 'read',
      answers: {
        200: {
          description:
            'Server-sent events of type `snapshot`, each a whole state. With `Last-Event-ID` the current state is sent immediately only if it differs.',
          type: 'text/event-stream',
        },
      },
      errors: ['unavailable'],
      serve: ({headers}) => {
        events.checkRoom();
        const known = headers['last-event-id'];
        return {takeOver: (line) => events.add(line, typeof known === 'string' ? known : null)};
      },
    }),
    route({
      method: 'GET',
      path: '/livez',
      id: 'getLiveness',
      summary: 'Whether the process responds',
      access: 'open',
      answers: {200: {description: 'It does', schema: Health}},
      serve: () => json(200, {status: 'ok', codes: [], reasons: []} satisfies Health),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      id: 'getReadiness',
      summary:
        'Whether work can be done, and if not why: codes without a credential, reasons with one',
      access: 'open',
      answers: {
        200: {description: 'It can', schema: Health},
        503: {description: 'It cannot', schema: Health},
      },
      serve: ({credential}) => {
        const reasons = api.hindrances();
        const isReady = reasons.length === 0;
        return json(isReady ? 200 : 503, {
          status: isReady ? 'ok' : 'unavailable',
          codes: [...new Set(reasons.map(({code}) => code))],
          // Messages name files, projects and trackers.
          reasons: credential === null ? [] : reasons,
        } satisfies Health);
      },
    }),
  ];
}
