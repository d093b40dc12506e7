import type {Prompt} from '../settings.ts';
import {type Failure, RunFailure} from '../wire/failure.ts';
import {engineOf} from './engines/engine.ts';
import {sourceOf} from './engines/source.ts';
import {renderPrompt} from './render.ts';
import {SAMPLES} from './samples.ts';

/** Finds errors in a prompt before an issue does. */
export async function checkTemplate(prompt: Prompt): Promise<Failure | null> {
  try {
    for (const sample of SAMPLES) await renderPrompt(prompt, sample);
    if (engineOf(prompt) === 'liquid') {
      const {checkLiquidNames} = await import('./engines/liquid.ts');
      for (const sample of SAMPLES) checkLiquidNames(sourceOf(prompt.template), sample);
    }
    return null;
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return error.failure;
  }
}
