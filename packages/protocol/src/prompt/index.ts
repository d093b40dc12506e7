export {checkTemplate} from './check.ts';
export {promptDigest} from './digest.ts';
export {engineOf} from './engines/engine.ts';
export {
  continuationGuidance,
  resumeGuidance,
  withOperatorMessages,
  withSubmitHint,
} from './guidance.ts';
export {renderPrompt} from './render.ts';
export {type PromptVariables, promptVariables} from './variables.ts';
