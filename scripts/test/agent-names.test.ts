import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What one kind of agent does is in folders and files of its name. Elsewhere it is named only here. */
const MAY_NAME: Readonly<Record<string, string>> = {
  'packages/protocol/src/agents/agent-job.ts': 'the list of kinds that the wire knows',
  'packages/protocol/src/agents/sections.ts': 'the list of kinds that the front matter knows',
  'packages/protocol/src/agents/profiles.ts': 'the list of profiles, and the default',
  'packages/runner/src/agent/kinds.ts': 'the list of kinds that the runner can work with',
  'packages/orchestrator/src/cli/doctor/agent-checks.ts': 'the list of kinds that doctor checks',
  'packages/orchestrator/src/store/claims/claim-upgrades.ts': 'what older stores hold',
  'packages/orchestrator/src/store/upgrade/migrations.ts': 'what older stores hold',
  'packages/orchestrator/src/dashboard/transcript/transcript-reader.ts':
    'transcripts of former versions',
};

/** A name of the API that users of Symphony know. */
const API_FIELD = /\bcodex_totals\b/g;

/** Agents that are known or planned; a kind that is added brings its name. */
const KINDS = /codex|claude|opencode|\bacp\b/i;

function sources(): string[] {
  return readdirSync(join(root, 'packages'), {withFileTypes: true})
    .filter((entry) => entry.isDirectory())
    .flatMap(({name}) => {
      const folder = join('packages', name, 'src');
      return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
        .filter((file) => /\.(tsx?|css|html)$/.test(file))
        .map((file) => join(folder, file));
    });
}

function namesAKind(file: string): boolean {
  return KINDS.test(readFileSync(join(root, file), 'utf8').replaceAll(API_FIELD, ''));
}

test('no kind of agent is named outside its own folders, but in lists of kinds', () => {
  const files = sources();
  assert.ok(files.length > 300, `only ${files.length} files were looked at`);
  const others = files.filter((file) => !KINDS.test(file));
  assert.deepEqual(others.filter(namesAKind).toSorted(), Object.keys(MAY_NAME).toSorted());
});
