import type {Item} from '../server/items.ts';
import type {Turn} from '../server/turn.ts';
import type {Answer} from '../server/wire.ts';

/** Asks before a command. The item is shown first, so that the client knows what it is asked about. */
export async function askForCommand(
  turn: Turn,
  item: Item,
  command: string,
  ask: true | string,
): Promise<unknown> {
  if (turn.thread.accepted.has(command)) return null;
  const words = command.split(' ');
  turn.waitOn('waitingOnApproval');
  turn.start(item);
  const answer = await turn.askClient(
    'waitingOnApproval',
    'item/commandExecution/requestApproval',
    {
      kind: 'command',
      itemId: item.id,
      startedAtMs: item.startedAtMs,
      environmentId: 'local',
      ...(ask === true ? {} : {reason: ask}),
      command: item.command,
      cwd: item.cwd,
      commandActions: item.commandActions,
      proposedExecpolicyAmendment: words,
      availableDecisions: [
        'accept',
        {acceptWithExecpolicyAmendment: {execpolicy_amendment: words}},
        'cancel',
      ],
    },
  );
  return decided(turn, command, answer);
}

/** Asks before a change of a file whose item was started already: the diff is in there. */
export async function askForEdit(
  turn: Turn,
  item: Item,
  path: string,
  ask: true | string,
): Promise<unknown> {
  if (turn.thread.accepted.has(path)) return null;
  const answer = await turn.askClient('waitingOnApproval', 'item/fileChange/requestApproval', {
    itemId: item.id,
    startedAtMs: Date.now(),
    reason: ask === true ? null : ask,
    grantRoot: null,
  });
  return decided(turn, path, answer);
}

export function isAccepted(decision: unknown): boolean {
  return !['decline', 'cancel', 'error'].includes(String(decision));
}

function decided(turn: Turn, subject: string, answer: Answer): unknown {
  const decision = 'error' in answer ? 'error' : (answer.result.decision ?? 'error');
  if (decision === 'acceptForSession') turn.thread.accepted.add(subject);
  return decision;
}
