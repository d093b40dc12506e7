import {type ClaimKey, type Ending, hasRun, type Running} from './claim.ts';
import {fillSlots} from './dispatch/dispatch.ts';
import {startDueDeliveries} from './dispatch/due-deliveries.ts';
import {onMarked, onNotStarted, onReadBeforeLaunch, onRunnerStarted} from './dispatch/launch.ts';
import {type Decision, Draft} from './draft.ts';
import type {Event, TimerName} from './event.ts';
import {onAgentProbed, onProbeDue} from './life/agent.ts';
import {onCleaned, onReadBeforeCleaning} from './life/clean.ts';
import {onClockJumped} from './life/clock.ts';
import {onDiskChecked} from './life/disk.ts';
import {exitAfterOnce} from './life/once.ts';
import {onOperatorCommanded} from './life/operator.ts';
import {onSupervisorStarted} from './life/resume.ts';
import {exitWhenAtRest, onShutdownRequested} from './life/shutdown.ts';
import {onProjectBroken, onProjectLoaded} from './project.ts';
import {onHandedOff, onReadAfterRun} from './run/conclude.ts';
import {onWorkDelivered} from './run/delivery.ts';
import {onRunFinished, onRunnerExited, readAgain} from './run/exit.ts';
import {onRunnerReported} from './run/reports.ts';
import {onRetryDue} from './run/retry.ts';
import {onHeartbeatDue, onStallDue} from './run/stall.ts';
import {onToolAnswered, onToolCalled, onTurnEndDue} from './run/tool.ts';
import type {Project, State} from './state.ts';
import {shutDownWhenRefused} from './tracker/refusal.ts';
import {onSweepDue, onWorkspacesFound} from './tracker/sweep.ts';
import {onCandidatesRead, onClaimedRead, onPollDue, onTickAsked} from './tracker/tick.ts';
import {unreachable} from './unreachable.ts';

/** The table of contents of the core: one event in, the next state and the effects out. */
export function decide(state: State, event: Event): Decision {
  const draft = new Draft(state, event.at);
  handle(draft, event);
  shutDownWhenRefused(draft);
  if (draft.isRefillWanted) {
    startDueDeliveries(draft);
    fillSlots(draft);
  }
  exitAfterOnce(draft);
  exitWhenAtRest(draft);
  return draft.done();
}

function handle(draft: Draft, event: Event): void {
  switch (event.type) {
    case 'supervisor.started':
      return onSupervisorStarted(draft);
    case 'project.loaded':
      return onProjectLoaded(draft, event.workflow);
    case 'project.broken':
      return ofProject(draft, event.project, (project) =>
        onProjectBroken(draft, project, event.problem),
      );
    case 'tracker.changed':
      return ofProject(draft, event.project, (project) => onTickAsked(draft, project));
    case 'claimed.read':
      return ofProject(draft, event.project, (project) => onClaimedRead(draft, project, event));
    case 'candidates.read':
      return ofProject(draft, event.project, (project) => onCandidatesRead(draft, project, event));
    case 'workspaces.found':
      return ofProject(draft, event.project, (project) => onWorkspacesFound(draft, project, event));
    case 'disk.checked':
      return ofProject(draft, event.project, (project) =>
        onDiskChecked(draft, project, event.shortage),
      );
    case 'agent.probed':
      return ofProject(draft, event.project, (project) => onAgentProbed(draft, project, event));
    case 'issue.read':
      if (event.runId === null) return onReadBeforeCleaning(draft, event);
      return ofRun(draft, event, (claim) => {
        if (claim.is === 'running' && claim.run.step === 'reading') {
          onReadBeforeLaunch(draft, event.key, claim, event);
        } else if (claim.is === 'stopping' && claim.step === 'reading') {
          onReadAfterRun(draft, event.key, claim, event);
        }
      });
    case 'state.written':
      return ofRun(draft, event, (claim) => {
        if (claim.is === 'running' && claim.run.step === 'marking') {
          onMarked(draft, event.key, claim, event.answer);
        } else if (claim.is === 'stopping' && claim.step === 'handing-off') {
          onHandedOff(draft, event.key, claim, event.answer);
        } else if (claim.is === 'stopping' && claim.step === 'marking') {
          readAgain(draft, event.key, claim);
        }
      });
    case 'run.not_started':
      return ofRun(draft, event, (claim) => onNotStarted(draft, event.key, claim, event.why));
    case 'runner.started':
      return ofRun(draft, event, (claim) =>
        onRunnerStarted(draft, event.key, claim, event.process),
      );
    case 'runner.reported':
      return ofRun(draft, event, (claim) =>
        onRunnerReported(draft, event.key, claim, event.report),
      );
    case 'runner.exited':
      return ofRun(draft, event, (claim) => onRunnerExited(draft, event.key, claim, event.how));
    case 'run.finished':
      return ofRun(draft, event, (claim) => onRunFinished(draft, event.key, claim));
    case 'work.delivered':
      return ofRun(draft, event, (claim) => onWorkDelivered(draft, event.key, claim, event));
    case 'tool.called':
      return ofRun(draft, event, (claim) => onToolCalled(draft, event.key, claim));
    case 'tool.answered':
      return ofRun(draft, event, (claim) => onToolAnswered(draft, event.key, claim, event));
    case 'workspace.cleaned':
      return onCleaned(draft, event);
    case 'timer.fired':
      return onTimer(draft, event.timer);
    case 'operator.commanded':
      return onOperatorCommanded(draft, event.command);
    case 'store.changed':
      draft.write({storeIsWritable: event.isWritable});
      return event.isWritable ? draft.refill() : undefined;
    case 'clock.jumped':
      return onClockJumped(draft, event.byMs);
    case 'shutdown.requested':
      return onShutdownRequested(draft, event.withinMs);
    default:
      return unreachable(event); // a new event does not compile until it is answered here
  }
}

function ofProject(draft: Draft, name: string, then: (project: Project) => void): void {
  const project = draft.project(name);
  if (project !== null) then(project);
}

/** An event can arrive after the end of its run; then it is ignored. */
function ofRun(
  draft: Draft,
  {key, runId}: {key: ClaimKey; runId: string | null},
  then: (claim: Running | Ending) => void,
): void {
  const claim = draft.claims.get(key);
  if (claim !== undefined && hasRun(claim) && claim.run.id === runId) then(claim);
}

function onTimer(draft: Draft, timer: TimerName): void {
  const space = timer.indexOf(' ');
  const [kind, name] = [timer.slice(0, space), timer.slice(space + 1)];
  if (kind === 'poll') return ofProject(draft, name, (project) => onPollDue(draft, project));
  if (kind === 'sweep') return ofProject(draft, name, (project) => onSweepDue(draft, project));
  if (kind === 'probe') {
    const [project = '', other = null] = name.split('/');
    return ofProject(draft, project, (one) => onProbeDue(draft, one, other));
  }
  const claim = draft.claims.get(name);
  if (claim === undefined) return;
  if (kind === 'retry') onRetryDue(draft, claim);
  else if (hasRun(claim) && kind === 'heartbeat') onHeartbeatDue(draft, name, claim);
  else if (claim.is === 'running' && kind === 'stall') onStallDue(draft, name, claim);
  else if (claim.is === 'running' && kind === 'turn-end') onTurnEndDue(draft, name, claim);
}
