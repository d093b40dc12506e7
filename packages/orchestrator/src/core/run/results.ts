import {agentNamed, type Made, type ResultLink} from '@symphony-supervisor/protocol';
import type {Claim, Ending, Running} from '../claim.ts';
import type {Draft} from '../draft.ts';

/** What is recorded of a run besides its figures: its results, and its issue. */
export interface RunResults {
  readonly title: string | null;
  readonly url: string | null;
  readonly state: string | null;
  readonly workspacePath: string | null;
  readonly model: string | null;
  readonly isMeasured: boolean;
  readonly made: Made | null;
  readonly links: readonly ResultLink[];
}

export const NO_RESULTS: RunResults = {
  ...{title: null, url: null, state: null, workspacePath: null, model: null, made: null},
  isMeasured: true,
  links: [],
};

export function resultsOf(draft: Draft, claim: Running | Ending): RunResults {
  const {model: asked} = agentNamed(draft.projectOf(claim).workflow, claim.run.role);
  const {made = null, links = [], models = []} = claim.run.result ?? {};
  const model = asked ?? models[0]?.model ?? null;
  return {...knownOf(claim), model, made, links, isMeasured: claim.run.isMeasured};
}

/** For a run without a result. */
export function knownOf({issue: {title, url, state}, workspace}: Claim): RunResults {
  return {...NO_RESULTS, title, url, state, workspacePath: workspace?.path ?? null};
}
