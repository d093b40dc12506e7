import * as z from 'zod/mini';
import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import {json, type Route, route} from '../api/route.ts';
import {count, HowMany, RunList} from '../api/shapes.ts';
import {ApiError} from '../api-error.ts';

const WhichPage = z.object({
  offset: z._default(count(0, Number.MAX_SAFE_INTEGER), 0),
  limit: z.optional(count(1, Number.MAX_SAFE_INTEGER)),
  tail: z.optional(count(0, 100_000)),
});

export function runRoutes(api: SupervisorApi): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/runs',
      id: 'listRuns',
      summary: 'The last ended runs of all issues',
      access: 'read',
      query: HowMany,
      answers: {200: {description: 'Newest first', schema: RunList}},
      serve: ({query}) => json(200, {runs: api.recentRuns(query.limit)}),
    }),
    route({
      method: 'GET',
      path: '/api/v1/runs/{run_id}/transcript',
      id: 'getTranscript',
      summary:
        'The transcript of a run, whole lines only; of a current run, as far as it is written',
      access: 'read',
      query: WhichPage,
      answers: {
        200: {
          description:
            'JSON lines. `X-Symphony-Offset`: where they begin, in bytes; `X-Symphony-Next-Offset`: where the next page begins; `X-Symphony-Size`: size of the transcript in bytes.',
          type: 'application/x-ndjson',
        },
      },
      errors: ['transcript_not_found'],
      serve: async ({params, query}) => {
        const {offset, limit = null, tail = null} = query;
        const page = await api.transcript(params.run_id ?? '', {offset, limit, tail});
        if (page === null) throw new ApiError('transcript_not_found');
        return {
          status: 200,
          type: 'application/x-ndjson; charset=utf-8',
          headers: {
            'x-symphony-offset': String(page.start),
            'x-symphony-next-offset': String(page.end),
            'x-symphony-size': String(page.size),
          },
          body: page.body ?? '',
        };
      },
    }),
  ];
}
