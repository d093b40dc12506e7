import {AGENT} from './agent.ts';
import {CLAIMS} from './claims.ts';
import {OUTCOMES} from './outcomes.ts';
import {OUTSIDE} from './outside.ts';
import {PROMPT, WORKSPACE} from './prompt-and-workspace.ts';
import type {Rule} from './rule.ts';
import {SURVIVAL} from './survival.ts';
import {TICK} from './tick.ts';
import {WORKFLOW} from './workflow.ts';

/** Every rule of the contract, in its order. */
export const RULES: readonly Rule[] = [
  ...WORKFLOW,
  ...CLAIMS,
  ...TICK,
  ...OUTCOMES,
  ...PROMPT,
  ...WORKSPACE,
  ...AGENT,
  ...SURVIVAL,
  ...OUTSIDE,
];
