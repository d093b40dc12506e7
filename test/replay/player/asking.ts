import type {Message} from '../recording.ts';
import {at} from './dig.ts';

const QUESTIONS = ['item/tool/requestUserInput', 'mcpServer/elicitation/request'];
const APPROVALS = [
  'item/commandExecution/requestApproval',
  'item/fileChange/requestApproval',
  'item/permissions/requestApproval',
  'execCommandApproval',
  'applyPatchApproval',
];

/** Whether this request of Codex ends a run of ours: nobody is there to answer it. */
export function asksAPerson(method: string | undefined, approvalPolicy: unknown): boolean {
  if (method === undefined) return false;
  return QUESTIONS.includes(method) || (APPROVALS.includes(method) && approvalPolicy !== 'never');
}

/** Whether an answer let Codex do what it asked for. */
export function isGrant(answer: Message): boolean {
  const decision = at(answer, 'result', 'decision');
  if (decision !== undefined)
    return !['decline', 'cancel', 'denied', 'abort'].includes(String(decision));
  if (at(answer, 'result', 'action') === 'accept') return true;
  return [at(answer, 'result', 'answers'), at(answer, 'result', 'permissions')].some(
    (given) => typeof given === 'object' && given !== null && Object.keys(given).length > 0,
  );
}
