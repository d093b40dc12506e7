import {existsSync} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import type {Workflow} from '@symphony-supervisor/protocol';
import {
  type Complaint,
  checkFirstFile,
  checkProjects,
  formatComplaint,
  nearest,
  readWorkflow,
  type WorkflowContext,
} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker/profiles';
import {EXIT, ExitWith} from './exit.ts';

export const DEFAULT_WORKFLOW = 'WORKFLOW.md';

export interface WorkflowFiles {
  readonly paths: readonly string[];
  readonly context: WorkflowContext;
  readonly workflows: readonly Workflow[];
  /** The readable part of files with errors. */
  readonly drafts: readonly Workflow[];
  readonly errors: readonly Complaint[];
  readonly warnings: readonly Complaint[];
}

/** Reads all files completely, so that all errors are reported at once. */
export async function readWorkflows(given: readonly string[]): Promise<WorkflowFiles> {
  const paths = given.length > 0 ? given : [DEFAULT_WORKFLOW];
  for (const path of given) refuseCommand(path);
  const context: WorkflowContext = {
    env: process.env,
    profiles: PROFILES,
    tmpDir: tmpdir(),
    homeDir: homedir(),
    severalProjects: paths.length > 1,
  };
  const readings = await Promise.all(paths.map((path) => readWorkflow(path, context)));
  const workflows = readings.flatMap((reading) => (reading.ok ? [reading.workflow] : []));
  const errors = readings.flatMap((reading) => (reading.ok ? [] : reading.errors));
  const ofFirst = checkFirstFile(
    readings.map((reading, index) => ({
      path: paths[index] ?? '',
      shared: reading.ok ? reading.shared : [],
    })),
  );
  const warnings = [...readings.flatMap((reading) => reading.warnings), ...ofFirst];
  const drafts = readings.flatMap((reading) => (reading.ok ? [] : (reading.draft ?? [])));
  const allErrors = [...errors, ...checkProjects(workflows)];
  return {paths, context, workflows, drafts, errors: allErrors, warnings};
}

/** For commands that need valid files: prints warnings, and ends the command on errors. */
export async function goodWorkflows(given: readonly string[]): Promise<WorkflowFiles> {
  const files = await readWorkflows(given);
  for (const warning of files.warnings) console.error(`warning: ${formatComplaint(warning)}`);
  if (files.errors.length === 0) return files;
  const isMissing = files.errors.every(({code}) => code === 'missing_workflow_file');
  const told = files.errors.map(formatComplaint).join('\n');
  const remedy = isMissing
    ? '`symphony-supervisor init` creates one; or give the path of your file'
    : 'correct the file; `symphony-supervisor validate` checks it again';
  throw new ExitWith(EXIT.workflowInvalid, `the workflow is invalid\n${told}\n${remedy}`);
}

const COMMANDS = [
  ...['run', 'init', 'validate', 'doctor', 'demo', 'status', 'logs', 'history', 'stop', 'retry'],
  ...['actions', 'restart', 'dismiss', 'clean', 'pause', 'resume', 'refresh', 'backup', 'help'],
];

/** `run` is the default command, so a misspelt command looks like a workflow file. */
function refuseCommand(path: string): void {
  if (/[./\\]/.test(path) || existsSync(path)) return;
  const meant = nearest(path, COMMANDS);
  const hint = meant === null ? '' : `; did you mean ${meant === 'help' ? '--help' : meant}?`;
  const what = `there is no command and no workflow file "${path}"${hint}`;
  throw new ExitWith(EXIT.usage, `${what}\n\nsymphony-supervisor --help lists the commands`);
}
