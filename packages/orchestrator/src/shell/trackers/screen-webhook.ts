import type {TrackerProfile, TrackerSettings} from '@symphony-supervisor/protocol';
import type {WebhookDelivery} from '@symphony-supervisor/tracker';

/** A webhook that is decided without its body. */
export type ScreenedOut = {readonly is: 'unknown'} | {readonly is: 'refused'; readonly why: string};

/**
 * Checks of a webhook before its body is read; null: the body must be read. A caller cannot find out
 * whether a project of this name exists without webhooks.
 */
export function screenWebhook(
  settings: TrackerSettings | undefined,
  profiles: Readonly<Record<string, TrackerProfile>>,
  headers: WebhookDelivery['headers'],
): ScreenedOut | null {
  const webhook = settings === undefined ? undefined : profiles[settings.kind]?.webhook;
  if (webhook === undefined || settings?.secrets[webhook.secret] === undefined) {
    return {is: 'unknown'};
  }
  if (webhook.form.test(headers[webhook.header]?.trim() ?? '')) return null;
  return {is: 'refused', why: `the header ${webhook.header} is missing or malformed`};
}
