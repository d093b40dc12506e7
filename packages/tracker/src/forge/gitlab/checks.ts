import * as z from 'zod/mini';
import {readPages} from '../pages.ts';
import type {Check} from '../pull-request.ts';
import type {GitlabApi} from './api.ts';
import {toCheck} from './normalize.ts';
import {CommitStatus, FailedJob, type MergeRequestDetail, type Pipeline} from './record.ts';

interface Checks {
  readonly records: readonly Check[];
  readonly hasMore: boolean;
}

const NONE: Checks = {records: [], hasMore: false};
const ENDED = new Set(['success', 'failed', 'canceled', 'skipped', 'manual']);
const MAX_PAGES = 10;
/** Of pipelines that have ended, whose jobs change only with the pipeline. */
const MAX_KNOWN = 1_000;

/** Jobs and statuses of other systems, by pipeline. */
export class GitlabChecks {
  readonly #api: GitlabApi;
  readonly #known = new Map<string, Checks>();

  constructor(api: GitlabApi) {
    this.#api = api;
  }

  /**
   * A push without a pipeline leaves the former one in its place, and a pipeline of the merged
   * result has a commit of its own: what is not of the head is not known.
   */
  async ofHead(
    {sha, head_pipeline: pipeline}: MergeRequestDetail,
    signal: AbortSignal,
  ): Promise<Checks> {
    if (pipeline == null) return NONE;
    if (pipeline.sha !== sha) return {records: [], hasMore: true};
    return this.#ofPipeline(pipeline, signal);
  }

  /** Of any commit, such as the tip of the base. */
  async ofCommit(sha: string, signal: AbortSignal): Promise<Checks> {
    return this.#read(sha, '', signal);
  }

  async #ofPipeline(pipeline: Pipeline, signal: AbortSignal): Promise<Checks> {
    const key = `${pipeline.id} ${pipeline.status} ${pipeline.updated_at}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const checks = await this.#read(pipeline.sha, `&pipeline_id=${pipeline.id}`, signal);
    if (ENDED.has(pipeline.status) && pipeline.updated_at !== null) {
      this.#known.set(key, checks);
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= MAX_KNOWN) break;
        this.#known.delete(oldest);
      }
    }
    return checks;
  }

  async #read(sha: string, filter: string, signal: AbortSignal): Promise<Checks> {
    const commit = `${this.#api.projectPath}/repository/commits/${encodeURIComponent(sha)}`;
    const path = `${commit}/statuses?per_page=100${filter}`;
    const {records, hasMore} = await readPages(
      this.#api.rest,
      {path, size: 100, maxPages: MAX_PAGES},
      signal,
    );
    const parsed = z.array(StatusOfPipeline).safeParse(records);
    if (!parsed.success) {
      throw this.#api.rest.problem('tracker_response', `sent no statuses of commit ${sha}`);
    }
    const pipelines = parsed.data
      .filter(({status}) => status === 'failed')
      .flatMap(({pipeline_id: id}) => id ?? []);
    const reasons = await this.#reasons([...new Set(pipelines)], signal);
    return {
      records: parsed.data.map((status) => toCheck(status, reasons.get(status.id) ?? null)),
      hasMore,
    };
  }

  /** Why jobs failed: by the script, or by the runner. */
  async #reasons(
    pipelines: readonly number[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string | null>> {
    const reasons = new Map<number, string | null>();
    for (const id of pipelines) {
      const path = `${this.#api.projectPath}/pipelines/${id}/jobs?scope[]=failed&per_page=100`;
      const {value} = await this.#api.rest.get(path, signal, [404]);
      for (const job of z.array(FailedJob).safeParse(value).data ?? []) {
        reasons.set(job.id, job.failure_reason);
      }
    }
    return reasons;
  }
}

const StatusOfPipeline = z.extend(CommitStatus, {
  pipeline_id: z.catch(z.nullable(z.int()), null),
});
