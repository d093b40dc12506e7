import type {ActionView} from '@symphony-supervisor/protocol';
import {type ClaimKey, issueIdOf, projectOf} from '../../core/claim.ts';
import {iso} from '../../core/view/claim-rows.ts';
import type {Action} from '../../store/index.ts';

/** An order as shown outside. */
export function actionView(
  {at, by, command}: Action,
  identifierOf: (key: ClaimKey) => string,
): ActionView {
  const common = {at: iso(at), by, command: command.command};
  if (!('key' in command)) {
    return {
      ...{...common, project: command.project, issue_id: null, issue_identifier: null},
      message: null,
    };
  }
  const {key} = command;
  return {
    ...common,
    project: projectOf(key),
    issue_id: issueIdOf(key),
    issue_identifier: identifierOf(key),
    message: command.command === 'retry' ? command.message : null,
  };
}
