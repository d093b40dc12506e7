import type {ContractCase} from '../stage.ts';
import {endCases} from './end.ts';
import {failureCases} from './failures.ts';
import {launchCases} from './launch.ts';
import {questionCases} from './questions.ts';
import {resumeCases} from './resume.ts';
import {secretCases} from './secrets.ts';
import {streamCases} from './stream.ts';
import {tokenCases} from './tokens.ts';
import {toolCases} from './tools.ts';
import {turnCases} from './turns.ts';

/** Every case by its id: the group, a dot, and what it is about. */
export const CASES = {
  ...launchCases,
  ...turnCases,
  ...resumeCases,
  ...toolCases,
  ...questionCases,
  ...failureCases,
  ...streamCases,
  ...endCases,
  ...tokenCases,
  ...secretCases,
} satisfies Record<`${string}.${string}`, ContractCase>;

export type CaseId = keyof typeof CASES;

export const CASE_IDS = Object.keys(CASES) as readonly CaseId[];
