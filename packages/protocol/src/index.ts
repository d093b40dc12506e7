export {
  AgentAccess,
  type AgentBasics,
  AgentJob,
  type AgentJobOf,
  type AgentKind,
  type AgentOptions,
} from './agents/agent-job.ts';
export {defaultBranch, isBranchName} from './branch-name.ts';
export {
  type AttemptDetails,
  makeAttemptJob,
  makeCleanJob,
  makeDeliverJob,
  makeFinishJob,
  makeProbeJob,
  type WorkspaceDetails,
} from './make-job.ts';
export {createMask, type Mask, secretValues} from './mask.ts';
export {asItWasGiven, withoutCertificates} from './own-environment.ts';
export {
  agentNamed,
  otherAgentsOf,
  profileNamed,
  profileOf,
  type RunProfile,
  WORKER,
} from './role.ts';
export {isActive, isRoutable, isTerminal, isWorkable} from './routing.ts';
export type {
  AgentSettings,
  DispatchRule,
  HookSettings,
  LogSettings,
  Prompt,
  PromptEngine,
  Role,
  ServerSettings,
  Settings,
  ShellMode,
  TrackerSettings,
  Workflow,
  WorkspaceSettings,
} from './settings.ts';
export {Tail} from './tail.ts';
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
export {ActionView, IssueView, RecentEvent, RunView} from './view/issue-view.ts';
export {Measure, measureOf, measureOfAll} from './view/measure.ts';
export {
  HeldRow,
  KeptRow,
  LeftProcess,
  LoginFacts,
  MalformedRecords,
  ProjectRow,
  RetryingRow,
  RunningRow,
  Snapshot,
  StoppingRow,
  WaitingRow,
} from './view/snapshot.ts';
export {TrackerBudget} from './view/tracker-budget.ts';
export {
  AgentEventKind,
  AgentProgress,
  RateLimits,
  type RateLimitWindow,
} from './wire/agent-event.ts';
export {
  FAILURES,
  Failure,
  FailureCode,
  type FailurePolicy,
  meaningOf,
  policyOf,
  RunFailure,
} from './wire/failure.ts';
export {HostAnswer, HostCall, IssueAnswer} from './wire/host-call.ts';
export {BlockerRef, Issue, sameState, stateKey} from './wire/issue.ts';
export {isClean, RunOutcome, RunPhase, StopReason} from './wire/run.ts';
export {
  AttemptJob,
  CleanJob,
  type CleanWorkspace,
  DeliverJob,
  FinishJob,
  OperatorMessage,
  PROTOCOL_VERSION,
  ProbeJob,
  ProbeResult,
  RunJob,
  ThreadRecord,
} from './wire/run-job.ts';
export {
  CleanOutcome,
  Evidence,
  HEARTBEAT_MS,
  HookName,
  Made,
  ResultLink,
  RunnerReport,
  RunResult,
} from './wire/runner-report.ts';
export {SUBMIT_WORK, Submission} from './wire/submit-work.ts';
export {ToolResult, ToolSpec} from './wire/tool.ts';
export {
  addUsage,
  largerUsage,
  type ModelUsage,
  NO_USAGE,
  Usage,
  usageBeyond,
} from './wire/usage.ts';
export {FromRunner, ToRunner} from './wire/wire.ts';
export {workspaceKey} from './workspace-key.ts';
