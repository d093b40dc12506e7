import {fieldsOf, isFields} from '../../json.ts';
import type {Performers} from '../../script/stage.ts';
import type {ClaudeStage} from '../repertoire.ts';

const WINDOWS = {primary: 'five_hour', secondary: 'seven_day'} as const;
const HOUR_S = 3600;

/** News that wants no answer. */
export const statements: Performers<'usage' | 'rate_limits' | 'retrying', ClaudeStage> = {
  usage({usage}, {turn}) {
    turn.spend(usage);
  },

  rate_limits({rate_limits: told}, {host}) {
    for (const [name, rateLimitType] of Object.entries(WINDOWS)) {
      const window = told[name];
      if (window === undefined || window === null) continue;
      const percent = Number(isFields(window) ? fieldsOf(window).usedPercent : window);
      const info = {
        status: percent >= 100 ? 'rejected' : 'allowed',
        utilization: percent / 100,
        resetsAt: Math.floor(Date.now() / 1000) + HOUR_S,
        rateLimitType,
      };
      host.say({type: 'rate_limit_event', rate_limit_info: info});
    }
  },

  async retrying({retrying: times, every_ms = 0}, {turn, host}) {
    for (let attempt = 1; attempt <= times; attempt++) {
      const notice = {attempt, max_retries: times, retry_delay_ms: every_ms};
      const cause = {error_status: 500, error: 'server_error'};
      host.say({type: 'system', subtype: 'api_retry', ...notice, ...cause});
      await turn.pause(every_ms);
    }
  },
};
