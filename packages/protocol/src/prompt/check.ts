import {type Failure, RunFailure} from '../failure.ts';
import type {Prompt} from '../settings.ts';
import {engineOf} from './engine.ts';
import {renderPrompt} from './render.ts';
import {SAMPLES} from './samples.ts';
import {sourceOf} from './source.ts';

/** What would go wrong with a prompt, found before an issue has to find it. */
export async function checkTemplate(prompt: Prompt): Promise<Failure | null> {
  try {
    for (const sample of SAMPLES) await renderPrompt(prompt, sample);
    if (engineOf(prompt) === 'liquid') {
      const {checkLiquidNames} = await import('./liquid.ts');
      for (const sample of SAMPLES) checkLiquidNames(sourceOf(prompt.template), sample);
    }
    return null;
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return error.failure;
  }
}
