import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import type {Log} from '../../shell/log.ts';
import {json, type Route, route} from '../api/route.ts';
import {WebhookTaken} from '../api/shapes.ts';
import {ApiError} from '../api-error.ts';

/** A webhook delivery with its body as bytes, because the signature covers them. */
export interface Delivery {
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export type DeliveryVerdict =
  /** The tracker reports a change: poll at once. */
  | {readonly is: 'accepted'}
  /** Authentic, but about nothing that scheduling depends on. */
  | {readonly is: 'ignored'; readonly why: string}
  /** Not proven to come from the tracker, or not recent. */
  | {readonly is: 'refused'; readonly why: string}
  /** There is no such project. */
  | {readonly is: 'unknown'}
  /** The delivery could not be checked: the tracker should send it again. */
  | {readonly is: 'failed'; readonly why: string};

/** Checks project and headers before the body is read; null: read the body. */
export type ScreenDelivery = (
  project: string,
  headers: Delivery['headers'],
) => Extract<DeliveryVerdict, {is: 'unknown' | 'refused'}> | null;

export type JudgeDelivery = (project: string, delivery: Delivery) => Promise<DeliveryVerdict>;

export interface Webhooks {
  readonly screen: ScreenDelivery;
  readonly judge: JudgeDelivery;
}

export function webhookRoutes(api: SupervisorApi, webhooks: Webhooks, log: Log): Route[] {
  return [
    route({
      method: 'POST',
      path: '/webhooks/{project}',
      id: 'takeWebhook',
      summary: 'A delivery of the tracker, authenticated by its signature',
      access: 'signed',
      takesBytes: true,
      screen: ({project = ''}, headers) => {
        const verdict = webhooks.screen(project, singles(headers));
        if (verdict?.is === 'unknown') throw new ApiError('project_not_found', NO_WEBHOOK);
        if (verdict?.is === 'refused') throw new ApiError('unauthorized', verdict.why);
      },
      answers: {
        200: {description: 'Ignored, with the reason', schema: WebhookTaken},
        202: {description: 'A poll is started', schema: WebhookTaken},
      },
      errors: ['unauthorized', 'project_not_found', 'unavailable'],
      serve: async ({params, headers, body}) => {
        const project = params.project ?? '';
        const bytes = body instanceof Uint8Array ? body : new Uint8Array();
        const verdict = await webhooks.judge(project, {headers: singles(headers), body: bytes});
        switch (verdict.is) {
          case 'accepted':
            log('debug', {event: 'webhook.accepted', project}, 'webhook.accepted');
            api.poll(project);
            return json(202, {accepted: true, ignored: null});
          case 'ignored':
            return json(200, {accepted: false, ignored: verdict.why});
          case 'refused':
            throw new ApiError('unauthorized', verdict.why);
          case 'unknown':
            throw new ApiError('project_not_found', NO_WEBHOOK);
          case 'failed':
            throw new ApiError('unavailable', verdict.why);
        }
      },
    }),
  ];
}

const NO_WEBHOOK = 'there is no such project, or it has no webhook_secret';

function singles(headers: NodeJS.Dict<string | string[]>): Delivery['headers'] {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return Object.fromEntries(entries);
}
