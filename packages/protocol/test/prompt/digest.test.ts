import assert from 'node:assert/strict';
import {test} from 'node:test';
import {promptDigest} from '../../src/prompt/index.ts';
import {anIssue} from './builders.ts';

const prompt = {template: 'Do {{issue.title}}', engine: null} as const;
const digest = promptDigest(prompt, anIssue());

test('a digest is the same for the same task', () => {
  assert.match(digest, /^[0-9a-f]{64}$/);
  assert.equal(promptDigest({...prompt, template: '\nDo {{issue.title}} '}, anIssue()), digest);
  assert.equal(promptDigest({...prompt, engine: 'mustache'}, anIssue()), digest);
  const moved = anIssue({state: 'Review', labels: [], updated_at: '2027-01-01T00:00:00Z'});
  assert.equal(promptDigest(prompt, moved), digest);
});

test('a digest changes with template, engine, title and description', () => {
  const others = [
    promptDigest({...prompt, template: 'Fix {{issue.title}}'}, anIssue()),
    promptDigest({...prompt, engine: 'liquid'}, anIssue()),
    promptDigest(prompt, anIssue({title: 'Another'})),
    promptDigest(prompt, anIssue({description: null})),
    promptDigest(prompt, anIssue({description: 'null'})),
    promptDigest(prompt, anIssue({title: 'Fix\nthe', description: 'door'})),
    promptDigest(prompt, anIssue({title: 'Fix', description: 'the\ndoor'})),
  ];
  assert.equal(new Set([digest, ...others]).size, others.length + 1);
});
