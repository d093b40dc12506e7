import {type Loose, list, loose, text, textOrNull} from './loose.ts';
import type {Body} from './read-item.ts';

/** What else an agent says that a person should see; null for the hum of the protocol. */
export function noticeOf(method: string, params: Loose): Body | null {
  switch (method) {
    case 'error': {
      const error = loose(params['error']);
      const said = [error['message'], error['additionalDetails']].map(textOrNull).filter(Boolean);
      const level = params['willRetry'] === true ? 'warn' : 'error';
      return {is: 'notice', level, text: said.join('\n')};
    }
    case 'warning':
    case 'configWarning':
    case 'deprecationNotice':
      return {
        is: 'notice',
        level: 'warn',
        text: text(params['message']) || text(params['summary']),
      };
    case 'item/tool/requestUserInput':
      return question(params);
    case 'mcpServer/elicitation/request':
      return {is: 'question', text: text(params['message']), options: []};
    case 'item/commandExecution/requestApproval':
      return asks(`may it run: ${text(params['command'])}`, params);
    case 'item/fileChange/requestApproval':
      return asks('may it change files outside its workspace', params);
    case 'item/permissions/requestApproval':
      return asks('may it have more permissions', params);
    case 'thread/compacted':
      return {is: 'notice', level: 'info', text: 'the conversation was compacted'};
    default:
      return null;
  }
}

function asks(what: string, params: Loose): Body {
  const reason = textOrNull(params['reason']);
  const options: string[] = [];
  return {is: 'question', text: reason === null ? what : `${what}\n${reason}`, options};
}

function question(params: Loose): Body {
  const questions = list(params['questions']).map(loose);
  return {
    is: 'question',
    text: questions.map((asked) => text(asked['question'])).join('\n'),
    options: questions.flatMap((asked) =>
      list(asked['options']).map((option) => text(loose(option)['label'])),
    ),
  };
}
