import {prettyFactory} from 'pino-pretty';

// Loaded only where a person reads: the library takes longer to load than a log takes to open.

/** Turns a JSON line of the log into one for people, without a thread or a stream of its own. */
export function prettyLines(color: boolean): (line: string) => string {
  const pretty = prettyFactory({
    colorize: color,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    // Said by the message already, or too long for a glance. `pid` is a runner's; the library shows it as the writer's.
    ignore: 'event,pid,issue_id,run_id,session_id,cause',
  });
  return (line) => pretty(line) ?? '';
}
