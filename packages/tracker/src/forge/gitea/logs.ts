import {LOG_TAIL_BYTES} from '../logs/clean.ts';
import type {Check} from '../pull-request.ts';
import type {GiteaApi} from './api.ts';
import {Jobs, Runs} from './record.ts';

interface FoundJob {
  readonly id: number;
  readonly name: string;
}

/** Statuses have no log; the jobs of Actions do, where the server has that part of the interface. */
export class GiteaLogs {
  readonly #api: GiteaApi;
  /** The checks of one call have one signal, and their jobs are read once. */
  readonly #jobs = new WeakMap<AbortSignal, Promise<readonly FoundJob[]>>();

  constructor(api: GiteaApi) {
    this.#api = api;
  }

  async read({name}: Check, sha: string, signal: AbortSignal): Promise<string | null> {
    const reading = this.#jobs.get(signal) ?? this.#failedJobs(sha, signal);
    this.#jobs.set(signal, reading);
    const jobs = await reading;
    // A status of Actions is called `workflow / job (event)`.
    const job = jobs.find((one) => name === one.name || name.includes(` / ${one.name} (`));
    if (job === undefined) return null;
    const path = `${this.#api.repoPath}/actions/jobs/${job.id}/logs`;
    return this.#api.rest.tail(path, LOG_TAIL_BYTES, signal);
  }

  async #failedJobs(sha: string, signal: AbortSignal): Promise<FoundJob[]> {
    const {rest, repoPath} = this.#api;
    const path = `${repoPath}/actions/runs`;
    // Older servers and Forgejo do not have it.
    const {value} = await rest.get(`${path}?head_sha=${encodeURIComponent(sha)}`, signal, [404]);
    const runs = Runs.safeParse(value).data?.workflow_runs ?? [];
    const found: FoundJob[] = [];
    for (const {id} of runs) {
      const {value: jobs} = await rest.get(`${path}/${id}/jobs`, signal, [404]);
      const failed = Jobs.safeParse(jobs).data?.jobs ?? [];
      found.push(...failed.filter(({conclusion}) => conclusion === 'failure'));
    }
    return found;
  }
}
