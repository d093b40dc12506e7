import type {AgentLine} from '@symphony-supervisor/protocol/transcript';
import type {Observation} from '../../progress.ts';

/** What a line tells those who watch; null: nothing worth a line on a screen. */
export function saidBy(line: AgentLine): string | null {
  switch (line.ev) {
    case 'message':
    case 'reasoning':
    case 'notice':
      return line.text;
    case 'plan':
      return 'updated its plan';
    case 'command':
      return line.exit_code === null || line.exit_code === 0
        ? `$ ${line.command}`
        : `$ ${line.command} (exit ${line.exit_code})`;
    case 'file_change':
      return `changed ${line.changes.map(({path}) => path).join(', ')}`;
    case 'tool':
      return `called ${line.name}`;
    default:
      return null;
  }
}

export function observe(lines: readonly AgentLine[], isSignOfLife: boolean): Observation {
  const message = lines.map(saidBy).findLast((said) => said !== null) ?? null;
  return {event: 'notification', message, isSignOfLife};
}
