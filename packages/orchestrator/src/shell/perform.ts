import type {Effect} from '../core/effect.ts';
import type {TimerName} from '../core/event.ts';
import type {Runners} from './runners/runners.ts';
import type {Timers} from './timers.ts';
import type {ProjectTrackers} from './trackers/project-trackers.ts';
import type {TrackerWork} from './trackers/tracker-work.ts';
import type {Housekeeping} from './upkeep/housekeeping.ts';

/** The parts of the shell that act. */
export interface Actors {
  readonly trackers: ProjectTrackers;
  readonly work: TrackerWork;
  readonly runners: Runners;
  readonly housekeeping: Housekeeping;
  readonly timers: Timers<TimerName>;
  readonly exit: () => void;
}

/** Starts the effects that the core ordered. Each result comes back to the loop as an event. */
export function perform(effect: Effect, actors: Actors): void {
  const {trackers, work, runners, housekeeping, timers} = actors;
  switch (effect.do) {
    case 'open-tracker':
      return void trackers.open(effect.project, effect.scope);
    case 'close-tracker':
      return trackers.close(effect.project, effect.scope);
    case 'find-workspaces':
      return void work.findWorkspaces(effect);
    case 'read-claimed':
      return void work.readClaimed(effect);
    case 'read-candidates':
      return void work.readCandidates(effect);
    case 'read-issue':
      return void work.readIssue(effect);
    case 'write-state':
      return void work.writeState(effect);
    case 'start-run':
      void housekeeping.trimLogs();
      return void runners.start(effect.key, effect.run);
    case 'stop-run':
      return runners.stop(effect.runId, effect.reason, effect.withinMs);
    case 'kill-run':
      return runners.kill(effect.runId);
    case 'finish-run':
      return void runners.finish(effect.key, effect.runId, effect.outcome);
    case 'deliver-work':
      return void runners.deliver(effect.key, effect.runId);
    case 'clean-workspace':
      return runners.clean(effect);
    case 'probe-agent':
      return void runners.probe(effect.project, effect.agentKind);
    case 'set-timer':
      return timers.set(effect.timer, effect.at);
    case 'clear-timer':
      return timers.clear(effect.timer);
    case 'record-run':
    case 'record-delivery':
    case 'record-release':
    case 'log':
      return; // written with the decision that ordered it
    case 'exit':
      return actors.exit();
  }
}
