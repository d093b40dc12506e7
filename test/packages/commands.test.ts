import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {RUNNER, SUPERVISOR} from '../docs/reader/commands.ts';
import {until} from '../rig/survivors.ts';
import {skip} from '../rig/terminal.ts';
import {Commands, type Way} from './both-ways.ts';
import {type Installed, installed} from './installed.ts';
import {aProject} from './project.ts';

// Every command and every option of the installed package, in a pipe and on a terminal, with and without --json:
// what is bundled is not what the sources are, and what a terminal gets is not what a pipe gets.

const READABLE_LINE = /INFO.*run\.started.*T-1/;
const JSON_LINE = /^\{.*"run\.started".*"T-1"/m;
const RUNNER_BIN = 'symphony-runner';
let it: Installed;
const tried: Record<Way, Set<string>> = {pipe: new Set(), terminal: new Set()};

before(async () => {
  it = await installed();
});
after(() => it?.[Symbol.asyncDispose]());

for (const way of ['pipe', 'terminal'] as const) {
  const options = {skip: way === 'terminal' && skip};

  test(`${way}: help and version`, options, async () => {
    await using project = await aProject(it, {});
    const {run} = at(way, project);
    for (const flag of ['--help', '-h']) {
      await run([flag], {says: /Usage: symphony-supervisor .*Documentation: https:/s});
    }
    for (const flag of ['--version', '-V']) await run([flag], {says: /^\d+\.\d+\.\d+\n$/});
    for (const {name} of SUPERVISOR) {
      for (const flag of ['--help', '-h']) {
        await run([name, flag], {says: new RegExp(`^Usage: symphony-supervisor ${name} `)});
      }
    }
    await run(['--help'], {says: /^Usage: symphony-runner /, bin: RUNNER_BIN});
    await run(['--version'], {says: /^\d+\.\d+\.\d+\n$/, bin: RUNNER_BIN});
  });

  test(`${way}: before there is a supervisor`, options, async () => {
    await using project = await aProject(it, {'T-1': 'work'});
    const {run} = at(way, project);
    await run(['init', 'a', '--tracker', 'file'], {says: /wrote .*WORKFLOW\.md/s});
    await run(['init', 'a', '--tracker', 'file', '--force', '--debug'], {says: /WORKFLOW\.md/});
    await run(['init', 'c', '--tracker', 'file', '--agent', 'claude'], {says: /WORKFLOW\.md/});
    const answers = ['--project', 'web', '--repository', 'https://example.test/r.git'];
    const linear = ['init', 'b', '--tracker', 'linear', ...answers, '--agent-command', 'codex'];
    await run(linear, {says: /export LINEAR_API_KEY/});
    await run(['validate', '--debug'], {says: /WORKFLOW\.md/});
    await run(['validate', '--json'], {says: /"ok": ?true|\[\]|WORKFLOW/});
    const there = ['--state-dir', 'state', '--port', '0', '--host', '127.0.0.1'];
    await run(['doctor', ...there, '--debug'], {
      says: /tracker: file: .*issues: in active states: Todo 1/s,
    });
    await run(['doctor', ...there, '--json'], {says: /"tracker"/});
    await run(['run', '--dry-run'], {says: /T-1/});
    await run(['run', '--dry-run', '--json'], {says: /"T-1"/});
    const places = ['--state-dir', 'state', '--logs-root', 'logs'];
    const limits = ['--max-agents', '1', '--shutdown-timeout', '20000', '--log-level', 'info'];
    const once = ['run', '--once', ...places, ...limits, '--debug'];
    await run([...once, '--port', '0', '--host', '127.0.0.1'], {says: /run\.ended.*T-1/s});
    for (const about of [[], ['T-1'], ['T-1', '-n', '3'], ['--lines', '3']]) {
      await run(['logs', ...about, ...places, '--debug'], {says: /\[\d\d:\d\d:\d\d\] INFO: /});
    }
    await run(['logs', 'T-1', '--json', ...places], {says: /"issue_identifier":"T-1"/});
    const state = ['--state-dir', 'state'];
    await run(['backup', 'one.db', ...state, '--debug'], {says: /one\.db/});
    await run(['backup', 'two.db', ...state, '--json'], {says: /two\.db/});
  });

  test(`${way}: the demo`, options, async () => {
    await using project = await aProject(it, {});
    const {run} = at(way, project);
    const demo = ['demo', '--exit', '--keep', '--port', '0', '--log-level', 'warn', '--debug'];
    const said = await run(demo, {says: /^DEMO-6 .* Done .*DEMO-6: /m});
    assert.equal([...said.matchAll(/^DEMO-\d .* Done .*DEMO-\d: /gm)].length, 6, said);
    await run(['demo', '--agent', 'codex'], {code: 1, says: /the real Codex cannot be used/});
  });

  test(`${way}: with a supervisor that runs`, options, async () => {
    const issues = {
      'T-1': 'hang',
      'T-2': 'hang',
      'T-3': 'hang',
      'T-4': 'leave',
      'T-5': 'leave',
    } as const;
    await using project = await aProject(it, issues);
    const commands = at(way, project);
    const {run} = commands;
    await using supervisor = commands.start([
      ...(way === 'pipe' ? ['--no-tui'] : ['run']),
      ...['--port', '0'],
    ]);
    const there = ['--state-dir', '.symphony'];
    const status = () => at('pipe', project).run(['status', '--json'], {says: /./});
    const is = async (
      part: 'running' | 'held' | 'dismissed' | 'kept',
      issue: string,
    ): Promise<void> => {
      const seen = await until(async () => {
        const rows: {issue_identifier: string}[] = await status().then(
          (text) => JSON.parse(text)[part],
          () => [],
        );
        return rows.some((row) => row.issue_identifier === issue) || null;
      });
      assert.ok(seen, `${issue} was never ${part}\n${supervisor.shown}`);
    };
    for (const issue of ['T-1', 'T-2', 'T-3']) await is('running', issue);
    for (const issue of ['T-4', 'T-5']) await is('kept', issue);
    await supervisor.shows(/T-3/);

    await run(['status', ...there, '--debug'], {says: /3 running.*^T-1 +Todo/ms});
    await run(['status', '--json', ...there], {says: /"T-1"/});
    for (const [issue, more] of [
      ['T-1', ['--debug']],
      ['T-2', ['--json']],
    ] as const) {
      const where = ['--project', 'p', ...there, ...more];
      await run(['stop', issue, ...where], {says: new RegExp(issue)});
      await is('held', issue);
      await run(['retry', issue, '-m', 'go on', ...where], {says: new RegExp(issue)});
      await is('running', issue);
      await run(['stop', issue], {says: /is stopping/});
      await is('held', issue);
      await run(['retry', issue, '--message', 'go on'], {says: /is due now/});
      await is('running', issue);
      await run(['dismiss', issue, ...where], {says: new RegExp(issue)});
      await is('dismissed', issue);
      await run(['retry', issue], {says: /is due now/});
      await is('running', issue);
      await run(['restart', issue, ...where], {says: new RegExp(issue)});
      await is('running', issue);
      await run(['release', issue, ...where], {says: /release is now called restart|"restart"/});
      await run(['pause', ...where], {says: /./});
      await run(['resume', ...where], {says: /./});
      await run(['refresh', ...where], {says: /./});
      for (const name of ['history', 'actions']) {
        await run([name, issue, '-n', '5', ...where], {says: new RegExp(issue)});
        await run([name, '--limit', '5', ...more], {says: new RegExp(issue)});
      }
    }
    for (const [issue, more] of [
      ['T-4', ['--yes', '--debug']],
      ['T-5', ['-y', '--json', '--project', 'p']],
    ] as const) {
      await is('kept', issue);
      await run(['clean', issue, ...there, ...more], {says: new RegExp(issue)});
    }
    // The link signs a browser in: a pipe gets it on demand only.
    const link = /http:\/\/127\.0\.0\.1:\d+\/#login=/;
    await run(['open', ...there, '--debug'], {
      code: way === 'pipe' ? 1 : 0,
      says: way === 'pipe' ? /on a terminal only/ : link,
    });
    await run(['open', ...there, '--json'], {says: link});
    const proxied = ['--url', 'https://example.test/', '--json'];
    await run(['open', ...proxied], {says: /https:\/\/example\.test\/#login=/});
    await run(['token', 'rotate', ...there, '--debug'], {says: /both tokens are replaced/});
    await run(['token', 'rotate', ...there, '--json'], {says: /"rotated": true/});
    for (const flag of ['-f', '--follow']) {
      await using following = commands.start(['logs', flag]);
      await following.shows(READABLE_LINE);
    }
    supervisor.interrupt();
    assert.equal(await supervisor.exitCode, 0, supervisor.shown);
  });

  test(`${way}: --no-tui prints lines`, options, async () => {
    await using project = await aProject(it, {'T-1': 'hang'});
    await using supervisor = at(way, project).start(['run', '--no-tui']);
    await supervisor.shows(way === 'pipe' ? JSON_LINE : READABLE_LINE);
    supervisor.interrupt();
    assert.equal(await supervisor.exitCode, 0, supervisor.shown);
  });

  test(`${way}: one issue by hand`, options, async () => {
    await using project = await aProject(it, {'T-1': 'work', 'T-2': 'work', 'T-4': 'work'});
    const {run} = at(way, project);
    const bin = RUNNER_BIN;
    await run(['T-4', '--agent', 'acp'], {bin, says: /T-4 succeeded after 1 turn/});
    await run(['T-1', '--role', 'worker', '--print-prompt'], {bin, says: /^Title of T-1\n/});
    await run(['T-1', '--print-prompt'], {bin, says: /^Title of T-1\n.*```agent/s});
    await run(['T-1', '--workflow', 'WORKFLOW.md'], {bin, says: /T-1 succeeded after 1 turn/});
    await run(['T-2', '--json', '--max-turns', '1'], {bin, says: /"outcome":"succeeded"/});
    const issue = {identifier: 'T-3', title: 'From a file', state: 'Todo'};
    await writeFile(join(project.path, 'issue.json'), JSON.stringify(issue));
    const file = ['--issue-file', 'issue.json', '--max-turns', '1'];
    await run(file, {bin, says: /T-3 succeeded after 1 turn/});
  });

  test(`${way}: there is a case for every command and option`, options, () => {
    const known = [...SUPERVISOR, {...RUNNER, name: RUNNER_BIN}].flatMap(({name, options: all}) =>
      all.flatMap(({long, short}) =>
        [long, ...(short === null ? [] : [short])].map((option) => `${name} ${option}`),
      ),
    );
    assert.ok(known.length > 80, `only ${known.length} are known`);
    assert.deepEqual(
      known.filter((one) => !tried[way].has(one)),
      [],
    );
  });
}

/** Runs commands there in this way; what is tried counts. */
function at(way: Way, project: {path: string; env: Record<string, string>}) {
  const commands = new Commands(it, way, project.path, project.env, tried[way]);
  return {run: commands.run.bind(commands), start: commands.start.bind(commands)};
}
