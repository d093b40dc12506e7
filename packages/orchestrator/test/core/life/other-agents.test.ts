import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {AgentKind} from '@symphony-supervisor/protocol';
import {emptyState} from '../../../src/core/index.ts';
import {hindrancesOf} from '../../../src/core/view/readiness.ts';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {
  anIssue,
  aResult,
  aWorkflow,
  type Knobs,
  OTHER_AGENT,
  OTHER_KIND,
  reserved,
  Table,
  timers,
} from '../builders.ts';

const WELL = {version: '1', logged_in: true, failure: null};
const MISSING = {
  ...{version: null, logged_in: null},
  failure: {code: 'agent_not_found', message: 'no such command'},
} as const;

const DOCS = anIssue({id: 'docs', labels: ['docs']});
const CODE = anIssue({id: 'code'});
const KNOBS: Knobs = {roles: [{name: 'docs', when: {labels: ['docs']}, agent: OTHER_AGENT}]};
/** The same two agents, the other way round. */
const SWAPPED: Knobs = {
  agent: OTHER_AGENT,
  roles: [{name: 'docs', when: {labels: ['docs']}, agent: aWorkflow().settings.agent}],
};

function probes(effects: Table['effects']): AgentKind[] {
  return effects.flatMap((effect) => (effect.do === 'probe-agent' ? [effect.agentKind] : []));
}

function probed(table: Table, agentKind: AgentKind, result: typeof WELL | typeof MISSING) {
  return table.happens({type: 'agent.probed', project: 'p', agentKind, result});
}

function candidates(table: Table, ...value: readonly (typeof DOCS)[]) {
  const answer = {ok: true, value} as const;
  return table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
}

function states(table: Table): Record<string, string> {
  const project = table.state.projects.get('p') ?? assert.fail();
  const {kind} = project.workflow.settings.agent.options;
  const others = [...project.otherAgents].map(([name, {agent}]) => [name, agent.is] as const);
  return Object.fromEntries([[kind, project.agent.is], ...others]);
}

function shown(table: Table) {
  return snapshotOf(table.state, table.now, {version: '1', pid: 1, started_at: ''});
}

test('each kind of agent is asked for once, and each keeps only its own roles waiting', () => {
  const table = new Table();
  const loaded = table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  assert.deepEqual(probes(loaded), ['codex', OTHER_KIND]);
  assert.deepEqual(reserved(candidates(table, DOCS, CODE)), []);
  assert.deepEqual(reserved(probed(table, OTHER_KIND, WELL)), ['docs']);
  assert.deepEqual(
    shown(table).waiting.map(({issue_id, role, reason}) => [issue_id, role, reason]),
    [['code', 'worker', 'the agent is being checked']],
  );
  assert.equal(shown(table).projects[0]?.dispatch_block, null, 'something can start');
  assert.deepEqual(reserved(probed(table, 'codex', WELL)), ['code']);
});

test('an agent that is missing is told, and asked again by itself', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  probed(table, 'codex', WELL);
  const blocked = probed(table, OTHER_KIND, MISSING);
  assert.deepEqual(timers(blocked), {'probe p/claude': table.now + 10_000});
  assert.deepEqual(reserved(candidates(table, DOCS, CODE)), ['code']);
  const [project] = shown(table).projects;
  assert.equal(project?.last_error, 'agent_not_found: no such command');
  assert.deepEqual(project.other_agents, [
    {
      ...{kind: 'claude', status: 'blocked', version: null},
      why: 'agent_not_found: no such command',
      until: new Date(table.now + 10_000).toISOString(),
    },
  ]);
  assert.equal(project.agent.status, 'ready');
  assert.equal(shown(table).waiting[0]?.reason, 'agent_not_found: no such command');
  assert.deepEqual(
    hindrancesOf(table.state, table.now).map(({code}) => code),
    ['agent_blocked'],
  );
  table.later(10_000);
  assert.deepEqual(probes(table.happens({type: 'timer.fired', timer: 'probe p/claude'})), [
    'claude',
  ]);
  assert.equal(hindrancesOf(table.state, table.now).length, 1, 'nor while it is asked');
  assert.deepEqual(reserved(probed(table, OTHER_KIND, WELL)), ['docs']);
  assert.deepEqual(hindrancesOf(table.state, table.now), []);
  assert.equal(shown(table).projects[0]?.last_error, null);
});

test('nothing can start while no agent is ready', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  probed(table, 'codex', MISSING);
  probed(table, OTHER_KIND, MISSING);
  const [project] = shown(table).projects;
  assert.equal(project?.dispatch_block, 'agent_not_found: no such command');
  assert.deepEqual(timers(table.all)['probe p'], table.now + 10_000);
});

test('a run that fails by its host blocks the agent of its role, and a good one forgives it', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  probed(table, 'codex', WELL);
  probed(table, OTHER_KIND, WELL);
  candidates(table, DOCS);
  table.starts(DOCS);
  const failure = {code: 'usage_limit', message: 'used up'} as const;
  table.ends(aResult({outcome: 'failed', failure}), 'docs');
  assert.deepEqual(states(table), {codex: 'ready', claude: 'blocked'});
  table.reads(DOCS);
  const claim = table.claim('docs');
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.waitsFor, 'usage_limit: used up');
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: 'probe p/claude'});
  assert.deepEqual(reserved(probed(table, OTHER_KIND, WELL)), ['docs']);
  table.starts(DOCS);
  table.ends(aResult(), 'docs');
  const other = table.state.projects.get('p')?.otherAgents.get(OTHER_KIND);
  assert.equal(other?.hostFailures, 0);
});

test('an agent that became unready between reservation and launch puts the issue back', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  probed(table, 'codex', WELL);
  probed(table, OTHER_KIND, WELL);
  const second = anIssue({id: 'second', labels: ['docs']});
  candidates(table, DOCS, second, CODE);
  table.starts(DOCS);
  const failure = {code: 'unauthorized', message: 'logged out'} as const;
  table.ends(aResult({outcome: 'failed', failure}), 'docs');
  table.reads(second);
  assert.equal(table.claim('second'), undefined);
  table.reads(CODE);
  const claim = table.claim('code');
  assert.ok(claim?.is === 'running' && claim.run.step === 'forking');
});

test('after a reload what is known of an agent stays with its kind', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  probed(table, 'codex', WELL);
  table.happens({type: 'project.loaded', workflow: aWorkflow(SWAPPED)});
  assert.deepEqual(states(table), {claude: 'probing', codex: 'ready'});
  probed(table, OTHER_KIND, WELL);
  assert.deepEqual(states(table), {claude: 'ready', codex: 'ready'});
});

test('a kind that is new is asked for, one with another command again, and one that is gone is forgotten', () => {
  const table = new Table();
  table.project({}, []);
  table.later(30_000);
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  assert.deepEqual(states(table), {codex: 'ready', claude: 'probing'});
  probed(table, OTHER_KIND, WELL);
  const moved = {...OTHER_AGENT, command: 'another'};
  const roles = [{name: 'docs', when: {labels: ['docs']}, agent: moved}];
  candidates(table);
  table.later(30_000);
  table.happens({type: 'project.loaded', workflow: aWorkflow({roles})});
  assert.equal(states(table).claude, 'probing');
  // While it is asked, the file names yet another one: the answer to come is about the former.
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  assert.deepEqual(probes(probed(table, OTHER_KIND, WELL)), [OTHER_KIND]);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  assert.deepEqual(states(table), {codex: 'ready'});
  probed(table, OTHER_KIND, MISSING);
  table.happens({type: 'timer.fired', timer: 'probe p/claude'});
  assert.deepEqual(states(table), {codex: 'ready'});
});

test('what is answered about a kind that nothing uses is not taken for the file\u2019s own', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  probed(table, OTHER_KIND, WELL);
  assert.deepEqual(states(table), {codex: 'probing'});
  probed(table, 'codex', WELL);
  assert.deepEqual(states(table), {codex: 'ready'});
});

test('the file\u2019s own agent becomes that of a role while it is asked for, and another one is asked', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.happens({type: 'project.loaded', workflow: aWorkflow(SWAPPED)});
  assert.deepEqual(states(table), {claude: 'unknown', codex: 'probing'});
  assert.deepEqual(probes(candidates(table, CODE)), [OTHER_KIND]);
  probed(table, 'codex', WELL);
  assert.deepEqual(states(table), {claude: 'probing', codex: 'ready'});
});

test('once waits for every agent, and tells of one that is missing', () => {
  const table = new Table();
  table.state = {...emptyState('life', null), once: {over: [], trouble: []}};
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  table.happens({type: 'supervisor.started'});
  candidates(table);
  probed(table, 'codex', WELL);
  assert.deepEqual(table.state.once?.over, []);
  probed(table, OTHER_KIND, MISSING);
  assert.deepEqual(table.state.once?.over, ['p']);
  assert.deepEqual(table.state.once?.trouble, ['p: agent_not_found: no such command']);
});
