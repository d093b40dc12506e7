import assert from 'node:assert/strict';
import type {Workflow} from '@symphony-supervisor/protocol';
import {
  formatComplaint,
  parseWorkflow,
  type WorkflowReading,
} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';

/** Secrets that a reader has set when the docs say so. */
const ENV = {LINEAR_API_KEY: 'key', GITHUB_TOKEN: 'token', WEBHOOK_SECRET: 'secret'};

/** By the reader that the product has. */
export function readText(text: string, env: Record<string, string> = {}): WorkflowReading {
  return parseWorkflow(text, {
    path: '/srv/project/WORKFLOW.md',
    env: {...ENV, ...env},
    profiles: PROFILES,
    tmpDir: '/tmp',
    homeDir: '/home/ada',
  });
}

/** An example may show one section; without a tracker no file is whole. */
export function wholeFile(frontMatter: string): string {
  const tracker = /^tracker:/m.test(frontMatter) ? '' : 'tracker: {kind: file}\n';
  return `---\n${tracker}${frontMatter}---\n`;
}

export function workflowOf(text: string): Workflow {
  const reading = readText(text);
  if (!reading.ok) assert.fail(reading.errors.map(formatComplaint).join('\n'));
  return reading.workflow;
}

/** What is wrong with an example: it must be better than valid. */
export function mistakesIn(text: string): readonly string[] {
  const reading = readText(text);
  return [...(reading.ok ? [] : reading.errors), ...reading.warnings].map(formatComplaint);
}
