import assert from 'node:assert/strict';
import type {
  AgentOptions,
  AgentSettings,
  Settings,
  TrackerProfile,
  Workflow,
} from '../../src/index.ts';
import {
  type FileContext,
  formatComplaint,
  parseWorkflow,
  type WorkflowReading,
} from '../../src/workflow/index.ts';

const STATES = {
  activeStates: ['Todo', 'In Progress'],
  terminalStates: ['Done', 'Closed'],
  unstartedStates: ['Todo'],
};

/** A service behind a key, with the flat keys of older files. */
const desk: TrackerProfile = {
  ...STATES,
  kind: 'desk',
  canWrite: true,
  secrets: [{key: 'api_key', env: 'DESK_API_KEY', required: true}],
  pathKeys: [],
  flatKeys: {
    api_key: 'api_key',
    project_slug: 'project_slug',
    endpoint: 'endpoint',
    assignee: 'assignee',
  },
  knownKeys: ['project_slug', 'endpoint', 'assignee', 'labels'],
  checkProvider: (provider) => [
    ...(typeof provider.project_slug === 'string'
      ? []
      : [{key: ['project_slug'], expected: 'the slug of a project'}]),
    ...(provider.assignee && provider.labels
      ? [{key: [], expected: 'either assignee or labels'}]
      : []),
    ...(Array.isArray(provider.labels) && typeof provider.labels[1] === 'number'
      ? [{key: ['labels', 1], expected: 'a label'}]
      : []),
  ],
};

/** A folder on disk: no secrets, and a path with a default. */
const folder: TrackerProfile = {
  ...STATES,
  kind: 'folder',
  canWrite: true,
  secrets: [],
  pathKeys: ['path'],
  flatKeys: {},
  defaults: {path: 'issues'},
  knownKeys: ['path'],
  checkProvider: () => [],
};

/** One that can only be read, with a secret that has no variable of its own. */
const mirror: TrackerProfile = {
  ...STATES,
  kind: 'mirror',
  canWrite: false,
  secrets: [{key: 'token', env: null, required: false}],
  pathKeys: [],
  flatKeys: {},
  knownKeys: [],
  checkProvider: () => [],
};

export const context: FileContext = {
  path: '/projects/acme/WORKFLOW.md',
  env: {DESK_API_KEY: 'desk-key', OTHER_KEY: 'other-key', WORK: '/srv/work', EMPTY: ''},
  profiles: {desk, folder, mirror},
  tmpDir: '/tmp',
  homeDir: '/home/ada',
};

/** A file with this front matter, its first line being the file's second. */
export function read(frontMatter: string, overrides: Partial<FileContext> = {}): WorkflowReading {
  return parseWorkflow(`---\n${frontMatter}\n---\nDo it.\n`, {...context, ...overrides});
}

export function workflowIn(reading: WorkflowReading): Workflow {
  assert.ok(reading.ok, reading.ok ? '' : reading.errors.map(formatComplaint).join('\n'));
  return reading.workflow;
}

/** The settings of a sound file: these lines after those that name a tracker. */
export function settings(lines = '', overrides: Partial<FileContext> = {}): Settings {
  return workflowIn(read(`tracker: {kind: folder}\n${lines}`, overrides)).settings;
}

/** `line:column: message`. */
export function errors(reading: WorkflowReading): readonly string[] {
  return reading.ok ? [] : reading.errors.map(short);
}

export function warnings(reading: WorkflowReading): readonly string[] {
  return reading.warnings.map(short);
}

function short(complaint: Parameters<typeof formatComplaint>[0]): string {
  return formatComplaint({...complaint, path: ''}).slice(1);
}

/** What only Codex knows, of settings that are for it. */
export function codexOptions({options}: AgentSettings): Extract<AgentOptions, {kind: 'codex'}> {
  assert.ok(options.kind === 'codex');
  return options;
}
