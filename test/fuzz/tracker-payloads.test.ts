import assert from 'node:assert/strict';
import {createHmac} from 'node:crypto';
import {test} from 'node:test';
import {Issue} from '@symphony-supervisor/protocol';
import fc from 'fast-check';
import {
  isMalformed,
  readIssueText,
  toFileIssue,
} from '../../packages/tracker/src/file/normalize.ts';
import {toGithubIssue} from '../../packages/tracker/src/github/normalize.ts';
import {
  graphqlRecord,
  isMalformed as isMalformedRecord,
  restRecord,
} from '../../packages/tracker/src/github/record.ts';
import {verifyGithubWebhook} from '../../packages/tracker/src/github/webhook.ts';
import {toLinearIssue} from '../../packages/tracker/src/linear/normalize.ts';
import {DEPTHS} from '../../packages/tracker/src/linear/queries.ts';
import {verifyLinearWebhook} from '../../packages/tracker/src/linear/webhook.ts';
import {OPTIONS} from './runs.ts';
import {spoiled} from './spoil.ts';
import {spoiledText} from './spoil-text.ts';

const FILES = [
  '---\nid: 1\ntitle: A door\nstate: Todo\nlabels: [a, b]\npriority: 2\nblocked_by: [X-1, {identifier: X-2}]\ncreated_at: 2024-01-01\n---\n# A door\n\nIt squeaks.\n\n## Comments\n\n### 2024-01-01T00:00:00Z\n\nYes.\n',
  '\ufeff---\r\nstate: In Progress\r\nassignee: me\r\n---\r\n# T\r\n```\r\n# no heading\r\n```\r\n',
];
const LINEAR = {
  ...{id: 'u-1', identifier: 'ABC-1', title: 'A door', description: 'It squeaks.', priority: 2},
  ...{branchName: 'b', url: 'https://x', createdAt: '2024-01-01T00:00:00Z', updatedAt: null},
  ...{archivedAt: null, trashed: false, assignee: {id: 'me'}, labelIds: ['l']},
  state: {name: 'Todo', type: 'unstarted'},
  labels: {nodes: [{name: 'Bug'}]},
  inverseRelations: {
    nodes: [{type: 'blocks', issue: {id: 'u-2', identifier: 'ABC-2', state: {name: 'Done'}}}],
  },
};
const REST = {
  ...{
    number: 7,
    node_id: 'n',
    title: 'A door',
    body: null,
    state: 'open',
    labels: ['p1', {name: 'bug'}],
  },
  ...{user: {login: 'me'}, author_association: 'OWNER', assignee: null, html_url: 'https://x'},
  ...{created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z'},
  issue_dependencies_summary: {blocked_by: 1},
};
const GRAPHQL = {
  ...{number: 7, id: 'n', title: 'A door', body: 'x', state: 'OPEN', authorAssociation: 'MEMBER'},
  ...{labels: {nodes: [{name: 'bug'}]}, author: {__typename: 'Bot', login: 'b'}, url: 'https://x'},
  ...{assignees: {nodes: [{login: 'me'}]}, createdAt: '2024-01-01T00:00:00Z', updatedAt: null},
};
const READING = {
  owner: 'a',
  name: 'b',
  rules: {stateLabels: [{state: 'Todo', label: 'bug'}], activeStates: ['Todo'], terminalStates: []},
  isAllowed: () => true,
};

test('any file of the file tracker is an issue, or says why it is none', () => {
  const at = new Date(0);
  const facts = {path: '/issues/X.md', fileName: 'X.md', bornAt: at, changedAt: at};
  fc.assert(
    fc.property(spoiledText(FILES), (text) => {
      const read = readIssueText('X.md', text);
      if (!isMalformed(read)) Issue.parse(toFileIssue(read, facts));
      else assert.ok(read.problem !== '' && read.id !== '' && read.identifier !== '');
    }),
    OPTIONS,
  );
});

test('any record of Linear is an issue, gone, or says why it is none', () => {
  fc.assert(
    fc.property(spoiled([LINEAR]), (node) => {
      const read = toLinearIssue(node, DEPTHS[0], null);
      if (read.is === 'issue') Issue.parse(read.issue);
      if (read.is === 'malformed') assert.notEqual(read.record.problem, '');
    }),
    OPTIONS,
  );
});

test('any record of GitHub is an issue, or says why it is none', () => {
  fc.assert(
    fc.property(spoiled([REST]), spoiled([GRAPHQL]), (rest, graphql) => {
      for (const record of [restRecord(rest, 'b'), graphqlRecord(graphql, null, 'b')]) {
        if (isMalformedRecord(record)) assert.notEqual(record.problem, '');
        else Issue.parse(toGithubIssue(record, [], READING));
      }
    }),
    OPTIONS,
  );
});

test('any delivery of a webhook gets a verdict, well signed or not', () => {
  const bodies = spoiled([{type: 'Issue', webhookTimestamp: 0, repository: {full_name: 'a/b'}}]);
  fc.assert(
    fc.property(bodies, fc.boolean(), fc.string(), (value, isSigned, other) => {
      const body = Buffer.from(JSON.stringify(value) ?? other);
      const signed = createHmac('sha256', 'secret').update(body).digest('hex');
      const signature = isSigned ? signed : other;
      const github = {'x-hub-signature-256': `sha256=${signature}`, 'x-github-event': 'issues'};
      const verdicts = [
        verifyLinearWebhook('secret', {'linear-signature': signature}, body, 0),
        verifyGithubWebhook('secret', 'a/b', github, body),
      ];
      for (const {is} of verdicts) {
        assert.ok(['accepted', 'ignored', 'refused'].includes(is));
        if (!isSigned) assert.equal(is, 'refused');
      }
    }),
    OPTIONS,
  );
});
