import {createHash} from 'node:crypto';
import type {Prompt} from '../settings.ts';
import type {Issue} from '../wire/issue.ts';
import {engineOf} from './engines/engine.ts';

/**
 * Tells whether a thread has heard the task as it is now: the template and what people write in an
 * issue. States, labels and dates change in the course of the work and would not be news.
 */
export function promptDigest(prompt: Prompt, issue: Pick<Issue, 'title' | 'description'>): string {
  // As JSON, so that no text can move from one part into the next unnoticed.
  const parts = [prompt.template.trim(), engineOf(prompt), issue.title, issue.description];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
