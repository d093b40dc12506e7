import {measureOf, type RunView} from '@symphony-supervisor/protocol';
import {issueIdOf, projectOf} from '../../core/claim.ts';
import {iso} from '../../core/view/claim-rows.ts';
import type {RunRecord} from '../../store/index.ts';

/** A recorded run as the API shows it. */
export function runView({key, identifier, usage, results, ...run}: RunRecord): RunView {
  const project = projectOf(key);
  return {
    run_id: run.runId,
    host: run.host,
    project,
    issue_id: issueIdOf(key),
    issue_identifier: identifier,
    role: run.role,
    attempt: run.attempt,
    started_at: iso(run.startedAt),
    ended_at: iso(run.endedAt),
    duration_ms: run.endedAt - run.startedAt,
    outcome: run.outcome,
    failure: run.failure,
    turns: run.turns,
    tokens: usage,
    usage: measureOf(results.isMeasured, results.isPartial),
    issue_title: results.title,
    issue_url: results.url,
    state: results.state,
    workspace_path: results.workspacePath,
    agent: results.agent,
    model: results.model,
    made: results.made,
    links: [...results.links],
  };
}
