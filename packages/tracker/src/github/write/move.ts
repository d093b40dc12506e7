import {sameState} from '@symphony-supervisor/protocol';
import {TrackerProblem} from '../../answer.ts';
import {itemOf, setStatus} from '../project/project-item.ts';
import type {GithubRecord} from '../record.ts';
import {CLOSED, includes, labelKey, labelOf, OPEN} from '../state.ts';
import {addLabels, removeLabels, setOpen, type WriteContext} from './edits.ts';

/** The record after the move; null if another writer moved the issue at the same time. */
export async function move(
  record: GithubRecord,
  state: string,
  context: WriteContext,
): Promise<GithubRecord | null> {
  const {project} = context.provider;
  if (project !== null) {
    const item = await itemOf(record.number, project, context);
    const option = item?.options.find(({name}) => sameState(name, state));
    if (item !== null && option !== undefined) {
      await setStatus(item, option.id, context);
      return reopened({...record, status: option.name}, state, context);
    }
    return moveByHand(record, state, item?.options.map(({name}) => name) ?? [], context);
  }
  const label = labelOf(state, context.reader.rules);
  if (label === undefined) {
    const states = context.reader.rules.stateLabels.map((entry) => entry.state);
    return moveByHand(record, state, states, context);
  }
  const swapped = await swapLabels(record, label, context);
  return swapped === null ? null : reopened(swapped, state, context);
}

/** Moving a closed issue back to work reopens it. */
async function reopened(
  record: GithubRecord,
  state: string,
  context: WriteContext,
): Promise<GithubRecord> {
  const isOver = includes(context.reader.rules.terminalStates, state);
  return isOver ? record : setOpen(record, true, 'completed', context);
}

/** GitHub's own two states; `others` are those of labels or a project. */
async function moveByHand(
  record: GithubRecord,
  state: string,
  others: readonly string[],
  context: WriteContext,
): Promise<GithubRecord> {
  if (sameState(state, CLOSED)) return setOpen(record, false, 'completed', context);
  if (sameState(state, OPEN) && context.provider.project === null) {
    const bare = await removeLabels(record, stateLabelsOn(record, context), context);
    return setOpen(bare, true, 'completed', context);
  }
  const known = [...others, OPEN, CLOSED].join(', ');
  const message = `GitHub has no state "${state}" for this issue; known: ${known}`;
  throw new TrackerProblem({code: 'invalid_tracker_config', message});
}

/**
 * Adds the new label before the old one is removed, so that the issue always has a state. GitHub's
 * answer to the first step shows whether another writer moved the issue since it was read; then our
 * label is removed again.
 */
async function swapLabels(
  record: GithubRecord,
  label: string,
  context: WriteContext,
): Promise<GithubRecord | null> {
  const others = (of: GithubRecord) =>
    stateLabelsOn(of, context).filter((name) => labelKey(name) !== labelKey(label));
  const added = await addLabels(record, [label], context);
  const expected = others(record).map(labelKey).sort();
  const present = others(added);
  if (present.map(labelKey).sort().join() !== expected.join()) {
    const wasThere = record.labels.some((name) => labelKey(name) === labelKey(label));
    if (!wasThere) await removeLabels(added, [label], context);
    return null;
  }
  return removeLabels(added, present, context);
}

function stateLabelsOn({labels}: GithubRecord, {reader}: WriteContext): string[] {
  const known = new Set(reader.rules.stateLabels.map(({label}) => labelKey(label)));
  return labels.filter((label) => known.has(labelKey(label)));
}
