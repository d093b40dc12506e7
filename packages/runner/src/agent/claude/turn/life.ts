import type {Loose} from '@symphony-supervisor/protocol/transcript';

/** Messages that come although nothing happens. A server that is down must not keep a turn alive. */
const SILENT_SYSTEM = ['api_retry', 'background_tasks_changed', 'commands_changed'];
const SILENT = ['rate_limit_event', 'keep_alive', 'auth_status', 'prompt_suggestion'];

/** Whether a message proves that the agent works. */
export function isLife({type, subtype}: Loose): boolean {
  if (type === 'system') return !SILENT_SYSTEM.includes(String(subtype));
  return !SILENT.includes(String(type));
}
