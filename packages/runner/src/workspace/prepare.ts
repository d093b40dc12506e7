import {type Issue, RunFailure} from '@symphony-supervisor/protocol';
import {lstat, mkdir, orNull, removeFile, writeFile} from '../processes/files.ts';
import {assertContained, lookAt} from './contain.ts';
import {type Layout, OWNER_ONLY, reasonOf} from './layout.ts';
import {assertOwner, forgetRecord, readRecord, writeRecord} from './record.ts';
import {discard, type OnStuck} from './trash.ts';

/**
 * Makes sure that the workspace exists and is complete. A marker exists beside it until `fill` (the
 * `after_create` hook) has succeeded, so that after a crash the next attempt does not use an unfinished
 * folder.
 */
export async function prepareWorkspace(
  layout: Layout,
  issue: Issue,
  fill: () => Promise<void>,
  onStuck: OnStuck,
): Promise<{created: boolean}> {
  try {
    const found = await lookAt(layout);
    const record = await readRecord(layout);
    if (record !== null) assertOwner(layout, record, issue.identifier);
    if (found === 'folder' && !(await isHalfMade(layout))) {
      if (record === null) await remember(layout, issue);
      return {created: false};
    }
    if (found === 'folder') await discard(layout, onStuck);
    await create(layout, issue, fill, onStuck);
    return {created: true};
  } catch (error) {
    if (error instanceof RunFailure) throw error;
    throw new RunFailure('workspace_error', `${layout.path}: ${reasonOf(error)}`, {cause: error});
  }
}

async function create(
  layout: Layout,
  issue: Issue,
  fill: () => Promise<void>,
  onStuck: OnStuck,
): Promise<void> {
  await writeFile(layout.halfMade, '');
  await remember(layout, issue);
  await mkdir(layout.path, {mode: OWNER_ONLY});
  try {
    await assertContained(layout);
    await fill();
    await assertContained(layout);
  } catch (error) {
    await discard(layout, onStuck).catch(() => {}); // the marker stays: the next attempt tries again
    await forgetRecord(layout);
    throw error;
  }
  await removeFile(layout.halfMade);
}

async function remember(layout: Layout, issue: Issue): Promise<void> {
  await writeRecord(layout, {
    issue_id: issue.id,
    identifier: issue.identifier,
    created_at: new Date().toISOString(),
    git_dirs: null,
  });
}

export async function isHalfMade(layout: Layout): Promise<boolean> {
  return (await orNull(lstat(layout.halfMade))) !== null;
}
