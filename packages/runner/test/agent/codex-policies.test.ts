import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {turnSandboxPolicy} from '../../src/agent/codex/policies.ts';
import {rehearsedCodex} from '../../src/agent/codex/rehearsal.ts';

const GIT = ['/ws/A-1/.git'];

function rootsOf(fields: Partial<AgentJobOf<'codex'>>): unknown {
  return turnSandboxPolicy({...rehearsedCodex, ...fields}, GIT)?.writableRoots;
}

test('an agent that may write commits as well; one that writes documents does not', () => {
  assert.deepEqual(rootsOf({access: 'write'}), GIT);
  assert.deepEqual(rootsOf({access: 'artifact'}), []);
});

test('a policy of the workflow is taken as it is, but for the folders of git', () => {
  const policy = {type: 'workspaceWrite', writableRoots: ['/cache'], networkAccess: true};
  assert.deepEqual(rootsOf({turn_sandbox_policy: policy}), ['/cache', ...GIT]);
  assert.deepEqual(rootsOf({turn_sandbox_policy: policy, access: 'artifact'}), ['/cache']);
});

test('an agent that may only read has the sandbox of its thread', () => {
  const job = {...rehearsedCodex, access: 'read', thread_sandbox: 'read-only'} as const;
  assert.equal(turnSandboxPolicy(job, GIT), null);
});
