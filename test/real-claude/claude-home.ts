import {join} from 'node:path';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {claudeBinary} from './claude-binary.ts';

type ClaudeJob = AgentJobOf<'claude'>;

/** A key that no server has given out. */
export const KEY = 'sk-stub-0000';

/** Variables for a Claude Code whose model is at this address and whose files are below this folder. */
export function claudeEnvironment(home: string, baseUrl: string): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: KEY,
  };
}

/** Cases that are about something else run without a sandbox, which not every machine has. */
export function aClaude(fields: Partial<ClaudeJob> = {}): ClaudeJob {
  return {
    ...{kind: 'claude', permission_mode: 'acceptEdits', allowed_tools: [], disallowed_tools: []},
    ...{on_permission: 'deny', sandbox: 'off', max_retries: 1},
    ...{model: 'claude-sonnet-4-5', effort: null, access: 'write'},
    ...{turn_timeout_ms: 60_000, read_timeout_ms: 60_000},
    command: `exec '${claudeBinary()}'`,
    ...fields,
  };
}
