import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {SessionOptions} from '../../agent.ts';

type ClaudeJob = AgentJobOf<'claude'>;

/** What a session may do, in Claude Code's words. */
export interface Rights {
  readonly allowed: readonly string[];
  readonly disallowed: readonly string[];
  /** Beside the user's own. */
  readonly settings: object;
}

/**
 * A run ends with its last turn, and it is one of many: nothing may wake it later, move it to another folder, write to
 * the sessions of other issues or wait for a person to accept a plan.
 */
const NOT_IN_A_RUN = [
  ...['CronCreate', 'ScheduleWakeup', 'RemoteTrigger', 'EnterWorktree', 'ListAgents'],
  ...['SendMessage', 'PushNotification'],
];
const PLAN_MODE = ['EnterPlanMode', 'ExitPlanMode'];
const EDITS = ['Edit', 'Write', 'NotebookEdit'];

/**
 * How `agent.access` is enforced. Edits in the workspace need no rule: the mode `acceptEdits` allows them, and no others.
 * Commands that read only, as far as Claude Code can tell, are allowed in every mode.
 */
export function rightsOf(
  job: ClaudeJob,
  {gitDirs, env}: Pick<SessionOptions, 'gitDirs' | 'env'>,
  isSandboxed: boolean,
): Rights {
  const disallowed = [...NOT_IN_A_RUN, ...(job.permission_mode === 'plan' ? [] : PLAN_MODE)];
  const tmp = env.TMPDIR === undefined ? [] : [env.TMPDIR];
  const settings = (mayRun: boolean, writable: readonly string[]) => ({
    sandbox: isSandboxed ? sandbox(mayRun, writable) : {enabled: false},
  });
  switch (job.access) {
    case 'write':
      return {allowed: ['Bash'], disallowed, settings: settings(true, [...gitDirs, ...tmp])};
    case 'artifact':
      // Documents only: nothing is committed.
      return {
        allowed: [],
        disallowed: [...disallowed, 'Edit(.git/**)', 'Bash(git commit:*)'],
        settings: settings(false, tmp),
      };
    case 'read':
      return {allowed: [], disallowed: [...disallowed, ...EDITS], settings: settings(false, [])};
  }
}

/** Around shell commands alone: the tools that read and write files follow the rules. */
function sandbox(mayRun: boolean, writable: readonly string[]): object {
  return {
    enabled: true,
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: mayRun,
    // A command that the sandbox stops stays stopped: no person is there to let it out.
    allowUnsandboxedCommands: false,
    filesystem: {allowWrite: writable},
  };
}
