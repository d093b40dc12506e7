import {isFields} from '../../json.ts';
import type {Performers} from '../../script/stage.ts';
import type {ModelError} from '../claude-turn.ts';
import type {ClaudeStage} from '../repertoire.ts';

const USUAL: ModelError = {error: 'server_error', status: 500, terminal: 'api_error'};

/** The words of scripts for what went wrong, as Claude Code tells it. */
const BY_INFO: Readonly<Record<string, ModelError>> = {
  usageLimitExceeded: {error: 'rate_limit', status: 429, terminal: 'api_error'},
  unauthorized: {error: 'authentication_failed', status: 401, terminal: 'api_error'},
  contextWindowExceeded: {error: 'invalid_request', status: 400, terminal: 'prompt_too_long'},
};

/** How a turn ends when its steps do not just run out. */
export const endings: Performers<'complete' | 'interrupt' | 'fail', ClaudeStage> = {
  complete(_, {turn}) {
    turn.end('completed');
  },

  interrupt(_, {turn}) {
    turn.end('interrupted');
  },

  fail({fail: text, info}, {turn}) {
    const told = isFields(info) ? info : BY_INFO[String(info)];
    turn.end('failed', {...USUAL, ...told, text});
  },
};
