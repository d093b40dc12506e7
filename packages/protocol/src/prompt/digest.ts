import {createHash} from 'node:crypto';
import type {Prompt} from '../settings.ts';
import type {Issue} from '../wire/issue.ts';
import {engineOf} from './engines/engine.ts';

/**
 * Tells whether a thread has the current task: the template and the text of the issue. States,
 * labels and dates change during the work and are not part of it.
 */
export function promptDigest(prompt: Prompt, issue: Pick<Issue, 'title' | 'description'>): string {
  // As JSON, so that text cannot move from one part into the next unnoticed.
  const parts = [prompt.template.trim(), engineOf(prompt), issue.title, issue.description];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
