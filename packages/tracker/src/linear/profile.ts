import type {ProviderComplaint, TrackerProfile} from '@symphony-supervisor/protocol';
import {DEFAULT_STATES} from '../default-states.ts';
import {ENDPOINT_RULE, toEndpoint} from '../http/endpoint.ts';
import {PLACEHOLDERS} from '../placeholders.ts';

export const DEFAULT_ENDPOINT = 'https://api.linear.app/graphql';
export const RAW_TOOL = 'linear_graphql';

export const LINEAR_PROFILE: TrackerProfile = {
  kind: 'linear',
  ...DEFAULT_STATES,
  canWrite: true,
  secrets: [
    {key: 'api_key', env: 'LINEAR_API_KEY', required: true},
    {key: 'webhook_secret', env: null, required: false},
  ],
  webhook: {secret: 'webhook_secret', header: 'linear-signature', form: /^[0-9a-f]{64}$/i},
  pathKeys: [],
  flatKeys: {
    api_key: 'api_key',
    project_slug: 'project_slug',
    endpoint: 'endpoint',
    assignee: 'assignee',
  },
  defaults: {endpoint: DEFAULT_ENDPOINT},
  promptTool: {key: 'raw_tool', tool: RAW_TOOL},
  knownKeys: ['endpoint', 'project_slug', 'team_key', 'assignee', 'raw_tool'],
  checkProvider(provider) {
    const {endpoint, project_slug, team_key, raw_tool} = provider;
    const complaints: ProviderComplaint[] = [];
    const complain = (key: string, expected: string) => complaints.push({key: [key], expected});
    if (toEndpoint(endpoint ?? DEFAULT_ENDPOINT) === null) complain('endpoint', ENDPOINT_RULE);
    for (const key of ['project_slug', 'team_key', 'assignee']) {
      const value = provider[key];
      if (value !== undefined && !isLine(value)) complain(key, EXPECTED[key] ?? 'a text');
    }
    if (project_slug === PLACEHOLDERS.linear) {
      complain('project_slug', `${EXPECTED.project_slug}: this is a placeholder`);
    }
    if (project_slug === undefined && team_key === undefined) {
      complain('project_slug', `${EXPECTED.project_slug}, or team_key: ${EXPECTED.team_key}`);
    }
    if (raw_tool !== undefined && typeof raw_tool !== 'boolean') {
      complain('raw_tool', 'true or false');
    }
    return complaints;
  },
};

const EXPECTED: Readonly<Record<string, string>> = {
  project_slug: "the project's slug, the last part of its address",
  team_key: "the team's key, as in the identifiers of its issues",
  assignee: 'the id of a user, or me',
};

function isLine(value: unknown): boolean {
  return typeof value === 'string' && /^[^\p{Cc}]{1,200}$/u.test(value.trim());
}
