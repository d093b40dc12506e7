import type {OperatorMessage} from '@symphony-supervisor/protocol';
import type {Layout} from '../workspace/layout.ts';
import {readRecord, writeRecord} from '../workspace/record.ts';

/** The messages that were not sent to this conversation yet. For a new conversation these are all. */
export async function newMessages(
  layout: Layout,
  threadId: string,
  messages: readonly OperatorMessage[],
): Promise<readonly OperatorMessage[]> {
  if (messages.length === 0) return messages;
  const given = (await readRecord(layout))?.given_messages;
  if (given?.thread_id !== threadId) return messages;
  return messages.filter(({id}) => !given.ids.includes(id));
}

/** A turn has begun with them. Recorded on disk, so that a supervisor that dies before it stores this does not repeat them. */
export async function rememberGiven(
  layout: Layout,
  threadId: string,
  ids: readonly string[],
): Promise<void> {
  const record = await readRecord(layout);
  if (record === null || ids.length === 0) return;
  await writeRecord(layout, {...record, given_messages: {thread_id: threadId, ids: [...ids]}});
}
