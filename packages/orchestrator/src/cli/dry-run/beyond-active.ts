import {sameState, type Workflow} from '@symphony-supervisor/protocol';
import type {TrackerThread} from '../../shell/trackers/tracker-thread.ts';
import {plain} from '../table.ts';

/** Issues that a tick does not read, to explain why one is missing from the plan. */
export interface BeyondActive {
  readonly other_states: readonly {
    readonly project: string;
    readonly state: string;
    readonly count: number;
  }[];
  readonly unreadable: readonly {
    readonly project: string;
    readonly count: number;
    /** The first few with their locations. */
    readonly examples: readonly string[];
  }[];
}

/**
 * A tracker that cannot be surveyed adds nothing: reading the candidates reports that it is down.
 */
export async function surveyAll(
  thread: Pick<TrackerThread, 'survey'>,
  workflows: readonly Workflow[],
): Promise<BeyondActive> {
  const surveys = await Promise.all(
    workflows.map(async ({settings: {name, tracker}}) => {
      const answer = await thread.survey(name);
      if (!answer.ok) return {other_states: [], unreadable: []};
      const isActive = (state: string) =>
        tracker.activeStates.some((other) => sameState(other, state));
      const others = answer.value.counts.filter(({state}) => !isActive(state));
      return {
        other_states: others.map((each) => ({project: name, ...each})),
        unreadable: answer.warnings.map(({count, examples}) => ({project: name, count, examples})),
      };
    }),
  );
  return {
    other_states: surveys.flatMap((survey) => survey.other_states),
    unreadable: surveys.flatMap((survey) => survey.unreadable),
  };
}

export function describeBeyond({other_states, unreadable}: BeyondActive): string[] {
  const total = other_states.reduce((sum, {count}) => sum + count, 0);
  const several = new Set(other_states.map(({project}) => project)).size > 1;
  const counts = other_states.map(
    ({project, state, count}) => `${several ? `${project}: ` : ''}${plain(state)} ${count}`,
  );
  const noun = total === 1 ? 'issue is' : 'issues are';
  return [
    ...(total === 0
      ? []
      : [`${total} ${noun} in states that are not active: ${counts.join(', ')}`]),
    ...unreadable.map(({project, count, examples}) => {
      const more = count > examples.length ? [`and ${count - examples.length} more`] : [];
      const lines = [...examples.map(plain), ...more].map((line) => `  ${line}`);
      return [`${count} of ${project} cannot be read:`, ...lines].join('\n');
    }),
  ];
}
