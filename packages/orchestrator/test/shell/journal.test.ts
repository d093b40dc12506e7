import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_USAGE} from '@symphony-supervisor/protocol';
import {announcementsOf} from '../../src/core/view/announcements.ts';
import {Journal} from '../../src/shell/journal.ts';
import {RecentEvents} from '../../src/shell/recent-events.ts';
import {anIssue, aResult, Table} from '../core/builders.ts';

/** A supervisor whose decisions are all written down. */
class NotedTable extends Table {
  readonly lines: {level: string; fields: Readonly<Record<string, unknown>>; message: string}[] =
    [];
  readonly recent = new RecentEvents();
  readonly #journal = new Journal(
    (level, fields, message) => this.lines.push({level, fields, message}),
    this.recent,
  );

  override happens(event: Parameters<Table['happens']>[0]) {
    const before = this.state;
    const effects = super.happens(event);
    const decision = this.decision ?? assert.fail();
    this.#journal.tell(announcementsOf(before, {...event, at: this.now} as never, decision));
    return effects;
  }

  progress(message: string): void {
    const progress = {
      event: 'notification',
      ...{message, messages: 1, signs_of_life: 1, rate_limits: null, is_measured: true, models: []},
      ...{usage: NO_USAGE, thread_usage: NO_USAGE},
    } as const;
    const report = {type: 'agent', progress} as const;
    this.happens({type: 'runner.reported', key: 'p/1', runId: this.runId(), report});
  }
}

test('each line about an issue says which issue, run and session it is about', () => {
  const table = new NotedTable();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const turn = {
    type: 'turn_started',
    turn: 1,
    session_id: 'thread-turn',
    message_ids: [] as string[],
  } as const;
  table.happens({type: 'runner.reported', key: 'p/1', runId: table.runId(), report: turn});
  table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}));
  table.reads(anIssue());
  const info = table.lines.filter(({level}) => level === 'info' || level === 'warn');
  assert.deepEqual(
    info.map(({message}) => message),
    ['claim.reserved', 'run.started', 'run.ended', 'retry.scheduled'],
  );
  for (const {fields} of info) {
    assert.deepEqual(
      [fields.project, fields.issue_id, fields.issue_identifier],
      ['p', '1', 'ABC-1'],
    );
  }
  const [, started, ended, retry] = info;
  assert.equal(started?.fields.run_id, 'life-1');
  assert.equal(ended?.fields.session_id, 'thread-turn');
  assert.equal(ended?.fields.outcome, 'failed');
  assert.match(String(retry?.fields.reason), /turn_failed/);
  assert.deepEqual(
    table.recent.of('p/1').map(({event}) => event),
    ['retry.scheduled', 'run.ended', 'run.started', 'claim.reserved'],
  );
});

test('what an agent says is written down once a second at most, and only at debug level', () => {
  const table = new NotedTable();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  table.lines.length = 0;
  for (let message = 0; message < 100; message++) {
    table.progress(`message ${message}`);
    table.later(50);
  }
  assert.equal(table.lines.length, 5);
  assert.ok(table.lines.every(({level}) => level === 'debug'));
});

test('hooks are told when they start, and when they fail', () => {
  const table = new NotedTable();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const about = {type: 'runner.reported', key: 'p/1', runId: table.runId()} as const;
  table.happens({...about, report: {type: 'hook_started', hook: 'before_run'}});
  const failure = {code: 'hook_timeout', message: 'took too long'} as const;
  const ended = {hook: 'before_run', failure, duration_ms: 5, output: ''} as const;
  table.happens({...about, report: {type: 'hook_ended', ...ended}});
  const told = table.lines.filter(({message}) => message.startsWith('hook.'));
  assert.deepEqual(
    told.map(({level, message, fields}) => [level, message, fields.reason]),
    [
      ['info', 'hook.started', 'before_run'],
      ['warn', 'hook.hook_timeout', 'before_run: took too long'],
    ],
  );
});

test('issues that were quiet for longest are forgotten first', () => {
  const recent = new RecentEvents();
  const event = {at: 'now', event: 'e', message: null};
  for (let issue = 0; issue < 600; issue++) recent.add(`p/${issue}`, event);
  assert.deepEqual(recent.of('p/0'), []);
  assert.equal(recent.of('p/599').length, 1);
  for (let times = 0; times < 80; times++) recent.add('p/599', event);
  assert.equal(recent.of('p/599').length, 50);
});
