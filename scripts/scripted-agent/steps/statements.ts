import {fieldsOf, isFields} from '../json.ts';
import type {CodexStage, Performers} from '../script/stage.ts';

const RECONNECTING = {responseStreamDisconnected: {httpStatusCode: null}};

/** News that wants no answer. */
export const statements: Performers<'usage' | 'rate_limits' | 'retrying', CodexStage> = {
  usage({usage}, {turn}) {
    turn.spend(usage);
  },

  rate_limits({rate_limits: told}, {host}) {
    const rateLimits = {
      limitId: 'codex',
      limitName: null,
      normalModelSlug: null,
      credits: null,
      individualLimit: null,
      spendControlReached: null,
      planType: null,
      rateLimitReachedType: null,
      ...told,
      primary: window(told.primary, 300),
      secondary: window(told.secondary, 10_080),
    };
    host.wire.notify('account/rateLimits/updated', {rateLimits});
  },

  async retrying({retrying: times, every_ms = 0, message, info = RECONNECTING}, {turn}) {
    for (let n = 1; n <= times; n++) {
      const error = {
        message: message ?? `Reconnecting... ${n}/${times}`,
        codexErrorInfo: info,
        additionalDetails: 'Connection failed: error sending request',
        misalignment: null,
      };
      turn.say('error', {error, willRetry: true});
      await turn.pause(every_ms);
    }
  },
};

/** A window told as a bare percentage gets its usual length; one not told at all is null. */
function window(told: unknown, windowDurationMins: number) {
  if (told === undefined || told === null) return null;
  const resetsAt = Math.floor(Date.now() / 1000) + windowDurationMins * 60;
  const fields = isFields(told) ? told : {usedPercent: told};
  return {usedPercent: 0, windowDurationMins, resetsAt, ...fieldsOf(fields)};
}
