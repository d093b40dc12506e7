import {JSON_TYPE, type Route, route} from '../api/route.ts';
import {ApiError} from '../api-error.ts';

/** The content type of Prometheus' text format. */
export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Routes about the API itself and the process. */
export function aboutRoutes(description: () => string, metrics: MetricsPage | null): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/openapi.json',
      id: 'getDescription',
      summary: 'This description',
      access: 'read',
      answers: {200: {description: 'OpenAPI 3.1'}},
      serve: () => ({status: 200, type: JSON_TYPE, body: description()}),
    }),
    route({
      method: 'GET',
      path: '/metrics',
      id: 'getMetrics',
      summary: 'Metrics for Prometheus',
      access: 'local',
      answers: {200: {description: 'Text exposition format', type: 'text/plain'}},
      errors: ['unavailable'],
      serve: async () => {
        if (metrics === null) throw new ApiError('unavailable', 'metrics are off');
        return {status: 200, type: metrics.contentType, body: await metrics.text()};
      },
    }),
  ];
}
