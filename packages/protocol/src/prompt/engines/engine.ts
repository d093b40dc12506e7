import type {Prompt, PromptEngine} from '../../settings.ts';

const MUSTACHE_COMMENT = /\{\{!(?:(?!\}\})[\s\S])*\}\}/g;

/** `{{=<% %>=}}`: only Mustache has it, and it may well introduce `{% %}` as delimiters. */
const MUSTACHE_DELIMITERS = /\{\{=[^=]+=\}\}/;

/** `{% if … %}`, `{%- assign … -%}`, `{% # note %}`. */
const LIQUID_TAG = /\{%-?\s*(?:#|[a-z]\w*(?=\s|-?%))(?:(?!%\}|\{%)[\s\S])*%\}/i;

/**
 * `{{ issue.labels | join: ", " }}`. Before the bar stands one variable or one quoted text, after it
 * a word: `{{ a || b }}` or `style={{width: x | y}}` in a sample of code is no filter, and neither is
 * Mustache's `{{{ raw }}}`.
 */
const LIQUID_FILTER =
  /(?<!\{)\{\{-?\s*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+(?:\.[\w-]+|\[[^\]\n]*\])*)\s*\|\s*[a-z_]\w*\s*(?:[:|]|-?\}\})/i;

/** The engine of a prompt: the one it names, else the one in whose language it is written. */
export function engineOf(prompt: Prompt): PromptEngine {
  if (prompt.engine !== null) return prompt.engine;
  const text = prompt.template.replace(MUSTACHE_COMMENT, '');
  if (MUSTACHE_DELIMITERS.test(text)) return 'mustache';
  return LIQUID_TAG.test(text) || LIQUID_FILTER.test(text) ? 'liquid' : 'mustache';
}
