import {prettyFactory} from 'pino-pretty';

// Loaded only for a terminal: the library takes longer to load than a log takes to open.

/** Formats a JSON line of the log for people, without a thread or stream of its own. */
export function prettyLines(color: boolean): (line: string) => string {
  const pretty = prettyFactory({
    colorize: color,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    // Already in the message, or too long. `pid` is a runner's; the library would show it as the
    // writer's.
    ignore: 'event,pid,issue_id,run_id,session_id,cause',
  });
  return (line) => pretty(line) ?? '';
}
