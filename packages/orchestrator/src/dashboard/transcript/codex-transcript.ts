import {lineOf, streamOf} from '@symphony-supervisor/protocol/codex-lines';
import {type Loose, list, loose, text, textOrNull} from '@symphony-supervisor/protocol/transcript';

/**
 * Transcripts of older versions hold only the raw messages of Codex. Converts such a message to the line that is
 * written beside it today; null if it is not interesting for a person.
 */
export function lineOfOlder(line: Loose): Loose | null {
  const message = loose(line['msg']);
  const method = textOrNull(message['method']);
  if (method === null) return null;
  const params = loose(message['params']);
  return line['dir'] === '->' ? sent(method, params) : received(method, params);
}

function sent(method: string, params: Loose): Loose | null {
  switch (method) {
    case 'turn/start': {
      const said = list(params['input']).map((part) => text(loose(part)['text']));
      return {ev: 'prompt', text: said.join('\n')};
    }
    case 'turn/interrupt':
      return {ev: 'notice', level: 'warn', text: 'the turn is interrupted'};
    case 'thread/resume':
      return {ev: 'notice', level: 'info', text: 'the earlier conversation is resumed'};
    default:
      return null;
  }
}

function received(method: string, params: Loose): Loose | null {
  if (typeof params['delta'] === 'string') {
    const ev = streamOf(method);
    return ev === null ? null : {ev, id: text(params['itemId']), delta: params['delta']};
  }
  if (method !== 'turn/completed') return loose(lineOf(method, params));
  const turn = loose(params['turn']);
  const error = textOrNull(loose(turn['error'])['message']);
  return {ev: 'turn_ended', status: turn['status'], error, ms: turn['durationMs']};
}
