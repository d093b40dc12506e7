import type {Made, ModelUsage, ResultLink} from '@symphony-supervisor/protocol';
import type {Claim, Ending, Running} from '../claim.ts';

/** What is recorded of a run besides its figures: its results, and its issue. */
export interface RunResults {
  readonly title: string | null;
  readonly url: string | null;
  readonly state: string | null;
  readonly workspacePath: string | null;
  /** The kind of agent; null: it was never started, or an older version ran it. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly isMeasured: boolean;
  readonly isPartial: boolean;
  readonly made: Made | null;
  readonly links: readonly ResultLink[];
}

export const NO_RESULTS: RunResults = {
  ...{title: null, url: null, state: null, workspacePath: null, made: null},
  ...{agent: null, model: null, isMeasured: true, isPartial: false},
  links: [],
};

export function resultsOf(claim: Running | Ending): RunResults {
  const {agent = null, model = null, isMeasured, isPartial = false, result} = claim.run;
  const {made = null, links = []} = result ?? {};
  return {...knownOf(claim), agent, model, made, links, isMeasured, isPartial};
}

/** The one that did most of the work: agents have titles and summaries made by smaller ones. */
export function mainModel(models: readonly ModelUsage[]): string | null {
  const known = models.filter(({model}) => model !== null);
  return known.toSorted((a, b) => b.usage.total_tokens - a.usage.total_tokens)[0]?.model ?? null;
}

/** For a run without a result. */
export function knownOf({issue: {title, url, state}, workspace}: Claim): RunResults {
  return {...NO_RESULTS, title, url, state, workspacePath: workspace?.path ?? null};
}
