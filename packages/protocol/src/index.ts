export {AgentEventKind, AgentProgress, RateLimits} from './agent-event.ts';
export {
  FAILURES,
  Failure,
  FailureCode,
  type FailurePolicy,
  meaningOf,
  policyOf,
  RunFailure,
} from './failure.ts';
export {HostAnswer, HostCall, IssueAnswer} from './host-call.ts';
export {BlockerRef, Issue, sameState, stateKey} from './issue.ts';
export {ActionView, IssueView, RecentEvent, RunView} from './issue-view.ts';
export {
  type AttemptDetails,
  makeAttemptJob,
  makeCleanJob,
  makeFinishJob,
  makeProbeJob,
  type WorkspaceDetails,
} from './make-job.ts';
export {createMask, type Mask, secretValues} from './mask.ts';
export {asItWasGiven, withoutCertificates} from './own-environment.ts';
export {isActive, isRoutable, isTerminal, isWorkable} from './routing.ts';
export {isClean, RunOutcome, RunPhase, StopReason} from './run.ts';
export {
  AttemptJob,
  CleanJob,
  type CleanWorkspace,
  CodexJob,
  FinishJob,
  OperatorMessage,
  PROTOCOL_VERSION,
  ProbeJob,
  ProbeResult,
  RunJob,
  ThreadRecord,
} from './run-job.ts';
export {
  CleanOutcome,
  Evidence,
  HEARTBEAT_MS,
  HookName,
  Made,
  ResultLink,
  RunnerReport,
  RunResult,
} from './runner-report.ts';
export type {
  AgentSettings,
  CodexSettings,
  HookSettings,
  LogSettings,
  Prompt,
  PromptEngine,
  ServerSettings,
  Settings,
  ShellMode,
  TrackerSettings,
  Workflow,
  WorkspaceSettings,
} from './settings.ts';
export {
  HeldRow,
  KeptRow,
  LeftProcess,
  LoginFacts,
  ProjectRow,
  RetryingRow,
  RunningRow,
  Snapshot,
  StoppingRow,
  WaitingRow,
} from './snapshot.ts';
export {SUBMIT_WORK, Submission} from './submit-work.ts';
export {Tail} from './tail.ts';
export {ToolResult, ToolSpec} from './tool.ts';
export {TrackerBudget} from './tracker-budget.ts';
export type {
  ProviderComplaint,
  SecretProfile,
  SecretRef,
  TrackerProfile,
} from './tracker-profile.ts';
export {ipcTransport} from './transport/ipc.ts';
export {LineSplitter, MAX_LINE_BYTES} from './transport/line-splitter.ts';
export {localTransports} from './transport/local.ts';
export {LineClosed, type Transport} from './transport/transport.ts';
export {addUsage, largerUsage, NO_USAGE, Usage, usageBeyond} from './usage.ts';
export {FromRunner, ToRunner} from './wire.ts';
export {workspaceKey} from './workspace-key.ts';
