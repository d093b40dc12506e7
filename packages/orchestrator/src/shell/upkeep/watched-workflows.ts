import {resolve} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type {Workflow} from '@symphony-supervisor/protocol';
import {
  type Complaint,
  formatComplaint,
  type WorkflowReading,
} from '@symphony-supervisor/protocol/workflow';
import type {Log} from '../log.ts';
import type {Loop} from '../loop.ts';
import type {Outside, Watch} from '../outside.ts';
import {WorkflowWarnings} from './workflow-warnings.ts';

export interface WatchedWorkflowsOptions {
  /** As they were read before the start, with the warnings of that read. */
  readonly given: readonly Workflow[];
  readonly warnings: readonly Complaint[];
  readonly loop: () => Loop;
  readonly watchWorkflow: Outside['watchWorkflow'];
  readonly log: Log;
  /** A changed file was loaded. */
  readonly onChanged: () => void;
}

/** The workflow files of this supervisor: watched, read again when they change, and reported to the loop. */
export class WatchedWorkflows implements AsyncDisposable {
  readonly #options: WatchedWorkflowsOptions;
  readonly #warnings: WorkflowWarnings;
  readonly #watches = new Map<string, Watch>();

  constructor(options: WatchedWorkflowsOptions) {
    this.#options = options;
    this.#warnings = new WorkflowWarnings(options.log);
  }

  /** Loads a project as it was given. */
  load(workflow: Workflow): void {
    const {warnings, loop} = this.#options;
    const own = warnings.filter(({path}) => resolve(path) === workflow.path);
    this.#warnings.tell(workflow.settings.name, own);
    loop().post({type: 'project.loaded', workflow});
  }

  watch({path, settings: {name}}: Workflow): void {
    const watch = this.#options.watchWorkflow(path, (reading) => this.#onRead(name, reading));
    this.#watches.set(name, watch);
  }

  /** Reads a file again: a watch can be lost silently. */
  async check(project: string): Promise<void> {
    await this.#watches.get(project)?.check();
  }

  async checkAll(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.check()));
  }

  /** As they are now; for a project that is not loaded yet, as it was given. */
  current(): readonly Workflow[] {
    const {given, loop} = this.#options;
    const {projects} = loop().state;
    return given.map((workflow) => projects.get(workflow.settings.name)?.workflow ?? workflow);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const watch of this.#watches.values()) await watch[Symbol.asyncDispose]();
  }

  #onRead(project: string, reading: WorkflowReading): void {
    const {loop, onChanged} = this.#options;
    const known = loop().state.projects.get(project);
    this.#warnings.tell(project, reading.warnings);
    if (!reading.ok) {
      const problem = reading.errors.map(formatComplaint).join('; ');
      return loop().post({type: 'project.broken', project, problem});
    }
    const {workflow} = reading;
    if (workflow.settings.name !== project) {
      const problem = `the name of the project is now ${workflow.settings.name}; that needs a restart`;
      return loop().post({type: 'project.broken', project, problem});
    }
    if (known?.problem === null && isDeepStrictEqual(known.workflow, workflow)) return;
    loop().post({type: 'project.loaded', workflow});
    onChanged();
  }
}
