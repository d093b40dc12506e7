import {
  type AgentLine,
  cutText,
  type Loose,
  list,
  loose,
  numberOrNull,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';
import {Plan} from './plan.ts';
import {outcomeOf, type ToolCall, toolLine} from './tool-lines.ts';

/** Calls that wait for their results; an agent that never tells a result must not fill our memory. */
const MOST_CALLS = 1000;

/** What Claude Code's messages say that a person should see, in the words that hold for every kind. */
export class Lines {
  readonly #plan = new Plan();
  readonly #calls = new Map<string, ToolCall>();

  of(message: Loose): AgentLine[] {
    switch (message.type) {
      case 'assistant':
        return this.#ofAssistant(message);
      case 'user':
        return this.#ofUser(message);
      case 'system':
        return ofSystem(message);
      default:
        return [];
    }
  }

  #ofAssistant(message: Loose): AgentLine[] {
    const {id, content} = loose(message.message);
    // Made by the program itself, not by the model: what went wrong.
    if (textOrNull(message.error) !== null) {
      const said = list(content).map((block) => text(loose(block).text));
      return [{ev: 'notice', level: 'error', text: cutText(said.join('\n'))}];
    }
    return list(content)
      .map(loose)
      .flatMap((block, index) => {
        // Each message brings one block, and several have the same id.
        const name = text(message.uuid) || text(id);
        return this.#ofBlock(block, `${name}:${index}`, message.parent_tool_use_id !== null);
      });
  }

  #ofBlock(block: Loose, id: string, isHelper: boolean): AgentLine[] {
    if (block.type === 'text') {
      const said = cutText(text(block.text));
      return said === ''
        ? []
        : [{ev: 'message', id, text: isHelper ? `(helper) ${said}` : said, done: true}];
    }
    if (block.type === 'thinking') {
      const thought = cutText(text(block.thinking));
      return thought === '' ? [] : [{ev: 'reasoning', id, text: thought, done: true}];
    }
    if (block.type !== 'tool_use') return [];
    const call = {id: text(block.id), name: text(block.name), input: loose(block.input)};
    if (this.#calls.size < MOST_CALLS) this.#calls.set(call.id, call);
    return isLine(this.#plan.take(call, null) ?? toolLine(call, null));
  }

  #ofUser(message: Loose): AgentLine[] {
    return list(loose(message.message).content)
      .map(loose)
      .flatMap((block) => {
        if (block.type !== 'tool_result') return [];
        const call = this.#calls.get(text(block.tool_use_id));
        if (call === undefined) return [];
        this.#calls.delete(call.id);
        const outcome = outcomeOf(block, message);
        return isLine(this.#plan.take(call, outcome) ?? toolLine(call, outcome));
      });
  }
}

function isLine(line: AgentLine | null): AgentLine[] {
  return line === null ? [] : [line];
}

function ofSystem(message: Loose): AgentLine[] {
  switch (message.subtype) {
    case 'api_retry':
      return [{ev: 'notice', level: 'warn', text: retryText(message)}];
    case 'permission_denied': {
      const what = `${text(message.tool_name)}: ${text(message.message)}`;
      return [{ev: 'notice', level: 'warn', text: cutText(`refused: ${what}`)}];
    }
    case 'informational':
      return [{ev: 'notice', level: 'info', text: cutText(text(message.content))}];
    case 'compact_boundary':
      return [{ev: 'notice', level: 'info', text: 'the conversation was compacted'}];
    default:
      return [];
  }
}

export function retryText(message: Loose): string {
  const {attempt, max_retries: most, error_status: status} = message;
  const cause = [status, message.error].filter((part) => part !== null && part !== undefined);
  const delayMs = numberOrNull(message.retry_delay_ms) ?? 0;
  return `the request to the model failed (${cause.map(String).join(' ')}); retry ${Number(attempt)} of ${Number(most)} in ${(delayMs / 1000).toFixed(1)} s`;
}
