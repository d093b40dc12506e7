import type {ProviderComplaint} from '@symphony-supervisor/protocol';
import {stateKey} from '@symphony-supervisor/protocol';
import {ENDPOINT_RULE, toEndpoint} from '../http/endpoint.ts';
import {toText} from '../normalize.ts';
import {PLACEHOLDERS} from '../placeholders.ts';

// Imported by the profile: nothing big may come in here.

export interface StateLabel {
  readonly state: string;
  readonly label: string;
}

/** The parsed `tracker.provider` of a workflow file. */
export interface GithubProvider {
  readonly owner: string;
  readonly name: string;
  readonly apiUrl: URL;
  /** In the order of the file, which is the order of the work. */
  readonly stateLabels: readonly StateLabel[];
  readonly project: {readonly number: number; readonly field: string} | null;
  /** null: not set. */
  readonly allowedAuthors: readonly string[] | null;
  readonly rawTool: boolean;
}

type Given = Readonly<Record<string, unknown>>;

const API_URL = 'https://api.github.com';
const STATUS_FIELD = 'Status';
const REPO = /^([A-Za-z0-9][A-Za-z0-9_-]{0,99})\/((?!\.{1,2}$)[A-Za-z0-9._-]{1,100})$/;
const MAX_PROJECT_NUMBER = 2 ** 31 - 1;

/** Only of settings that were checked. */
export function readProvider(given: Given): GithubProvider {
  const [, owner = '', name = ''] = REPO.exec(toText(given.repo) ?? '') ?? [];
  return {
    owner,
    name,
    apiUrl: toEndpoint(given.api_url ?? API_URL) ?? new URL(API_URL),
    stateLabels: stateLabelsIn(given.state_labels),
    project: isAbsent(given.project_number)
      ? null
      : {number: Number(given.project_number), field: toText(given.status_field) ?? STATUS_FIELD},
    allowedAuthors: Array.isArray(given.allowed_authors)
      ? given.allowed_authors.map((author) => String(author).trim().replace(/^@/, '').toLowerCase())
      : null,
    rawTool: given.raw_tool === true,
  };
}

export function checkProvider(given: Given): readonly ProviderComplaint[] {
  const complaints: ProviderComplaint[] = [];
  const expect = (isRight: boolean, key: string, expected: string) => {
    if (!isRight) complaints.push({key: [key], expected});
  };
  const {repo, api_url, project_number, status_field, allowed_authors, raw_tool} = given;
  const repository = toText(repo) ?? '';
  expect(REPO.test(repository), 'repo', 'a repository as owner/name');
  expect(repository !== PLACEHOLDERS.github, 'repo', 'your own repository: this is a placeholder');
  expect(isAbsent(api_url) || toEndpoint(api_url) !== null, 'api_url', ENDPOINT_RULE);
  expect(
    isAbsent(project_number) || isProjectNumber(project_number),
    'project_number',
    'the number of a project, as in its address',
  );
  expect(
    isAbsent(status_field) || typeof toText(status_field) === 'string',
    'status_field',
    'the name of a single select field of the project',
  );
  expect(
    isAbsent(allowed_authors) || isListOfText(allowed_authors),
    'allowed_authors',
    'a list of owner, member, collaborator and logins, or "*" for everyone',
  );
  expect(isAbsent(raw_tool) || typeof raw_tool === 'boolean', 'raw_tool', 'true or false');
  complaints.push(...checkStateLabels(given.state_labels));
  expect(
    isAbsent(project_number) || isAbsent(given.state_labels),
    'state_labels',
    'either state_labels or project_number: an issue has one state',
  );
  return complaints;
}

function checkStateLabels(given: unknown): ProviderComplaint[] {
  if (isAbsent(given)) return [];
  const key = 'state_labels';
  if (typeof given !== 'object' || Array.isArray(given)) {
    return [{key: [key], expected: 'a map of states to labels, as in Todo: "status:todo"'}];
  }
  const complaints: ProviderComplaint[] = [];
  const labels = new Set<string>();
  const states = new Set<string>();
  for (const [state, value] of Object.entries(given ?? {})) {
    const label = toText(value)?.toLowerCase() ?? '';
    // GitHub's own filter takes a list with commas.
    if (label === '' || label.includes(',')) {
      complaints.push({key: [key, state], expected: 'a label without commas'});
    } else if (labels.has(label) || states.has(stateKey(state))) {
      complaints.push({
        key: [key, state],
        expected: 'one label for each state, and one state each',
      });
    }
    labels.add(label);
    states.add(stateKey(state));
  }
  return complaints;
}

function stateLabelsIn(given: unknown): StateLabel[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).map(([state, label]) => ({
    state: state.trim(),
    label: toText(label) ?? '',
  }));
}

function isProjectNumber(value: unknown): boolean {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) && Number(number) >= 1 && Number(number) <= MAX_PROJECT_NUMBER;
}

function isListOfText(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => toText(entry) !== null);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
