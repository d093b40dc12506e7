import type {Usage} from '@symphony-supervisor/protocol';
import type {Announcement} from '../core/view/announcements.ts';
import type {Instruments} from './instruments.ts';

/** When the tick of each project began. */
export type TickStarts = Map<string, number>;

/** Adds what is announced to the counters. Lines for people are not counted. */
export function count(to: Instruments, ticks: TickStarts, told: Announcement): void {
  switch (told.is) {
    case 'run-started':
      return to.dispatches.inc({project: told.project, role: told.role});
    case 'run-ended': {
      const {project, role, outcome, failure, seconds} = told;
      to.exits.inc({project, role, outcome, failure: failure ?? 'none'});
      return to.runSeconds.observe({project, outcome}, seconds);
    }
    case 'retry':
      return to.retries.inc({project: told.project, kind: told.kind, cause: told.cause});
    case 'tokens':
      return addTokens(to, told.project, told.usage);
    case 'read': {
      const {project, read, ok} = told;
      return to.reads.inc({project, read, result: ok ? 'ok' : 'failed'});
    }
    case 'tick-began':
      ticks.set(told.project, told.at);
      return;
    case 'tick-ended': {
      const {project, at} = told;
      const beganAt = ticks.get(project);
      ticks.delete(project);
      if (beganAt === undefined) return;
      return to.tickSeconds.observe({project}, Math.max(0, at - beganAt) / 1000);
    }
    case 'line':
    case 'progress':
      return;
  }
}

function addTokens(to: Instruments, project: string, usage: Usage): void {
  const {input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens} = usage;
  to.tokens.inc({project, type: 'input'}, input_tokens);
  to.tokens.inc({project, type: 'cached_input'}, cached_input_tokens);
  to.tokens.inc({project, type: 'output'}, output_tokens);
  to.tokens.inc({project, type: 'reasoning_output'}, reasoning_output_tokens);
}
