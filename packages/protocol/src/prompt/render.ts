import type {Prompt} from '../settings.ts';
import {RunFailure} from '../wire/failure.ts';
import {defaultPrompt} from './default-prompt.ts';
import {engineOf} from './engines/engine.ts';
import {sourceOf} from './engines/source.ts';
import type {PromptVariables} from './variables.ts';

/**
 * The first message of a thread. Strict: an unknown name throws a `RunFailure` with its position, and
 * with its file if that is not the workflow file. Values are printed as they are and never rendered.
 */
export async function renderPrompt(prompt: Prompt, variables: PromptVariables): Promise<string> {
  const {file} = prompt;
  try {
    return await rendered(prompt, variables);
  } catch (error) {
    if (file === undefined || !(error instanceof RunFailure)) throw error;
    const message = error.message.replace(/^prompt/, () => file);
    throw new RunFailure(error.failure.code, message, {cause: error});
  }
}

async function rendered(prompt: Prompt, variables: PromptVariables): Promise<string> {
  const source = sourceOf(prompt.template);
  if (source.text === '') return defaultPrompt(variables);
  // Loaded on demand: a runner needs one engine once, and the orchestrator often none.
  if (engineOf(prompt) === 'liquid') {
    const {renderLiquid} = await import('./engines/liquid.ts');
    return renderLiquid(source, variables);
  }
  const {renderMustache} = await import('./engines/mustache.ts');
  return renderMustache(source, variables);
}
