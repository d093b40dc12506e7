import type {AgentKind} from '../agents/agent-job.ts';
import type {TrackerProfile} from '../tracker-profile.ts';

/** What a workflow file is read against; handed in, so that the same text always reads the same. */
export interface WorkflowContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By kind. */
  readonly profiles: Readonly<Record<string, TrackerProfile>>;
  readonly tmpDir: string;
  readonly homeDir: string;
  /** Whether the file is one of several: then the default workspace root has a folder for each. */
  readonly severalProjects?: boolean;
  /** In the place of the file's `agent.kind`: an operator tries another one. */
  readonly agentKind?: AgentKind;
}

/** The same, of one file. */
export interface FileContext extends WorkflowContext {
  /** As its reader names it; relative paths in the file start at its folder. */
  readonly path: string;
}
