import assert from 'node:assert/strict';
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {supervisorCommand} from '../../rig/supervisor-command.ts';
import {shows} from '../case.ts';
import {Project} from '../rig/project.ts';
import {Scene} from '../rig/scene.ts';

/** `validate --json` of a file with this text. */
async function validated(text: string) {
  await using project = await Project.make({});
  await project.writeText(text);
  const {code, stdout} = await supervisorCommand(['validate', '--json'], {cwd: project.path});
  return {code, said: stdout};
}

shows(
  ['1.errors.missing', '3.start.invalid', '9.exit.workflow'],
  'a workflow that is not there: missing_workflow_file, by name, exit 3',
  async () => {
    await using project = await Project.make({});
    await rm(join(project.path, 'WORKFLOW.md'));
    const {code, stderr, stdout} = await supervisorCommand([], {cwd: project.path});
    assert.equal(code, 3);
    assert.match(stderr + stdout, /WORKFLOW\.md/);
    const json = await supervisorCommand(['validate', '--json'], {cwd: project.path});
    assert.equal(json.code, 3);
    assert.match(json.stdout, /missing_workflow_file/);
  },
);

shows(
  ['1.errors.yaml', '1.errors.not-a-map', '1.kind', '9.validate'],
  'broken front matter, one that is no map, and one without a tracker: told with line and column',
  async () => {
    const broken = await validated('---\ntracker: {kind: file\npolling: [\n---\nGo.\n');
    assert.equal(broken.code, 3);
    assert.match(broken.said, /workflow_parse_error/);
    assert.match(broken.said, /"line": ?[2-4],/);
    assert.match(broken.said, /"column": ?\d+/);
    const list = await validated('---\n- a\n- b\n---\nGo.\n');
    assert.equal(list.code, 3);
    assert.match(list.said, /workflow_front_matter_not_a_map/);
    assert.match(list.said, /"line": ?2,/);
    const nothing = await validated('Go.\n');
    assert.equal(nothing.code, 3);
    assert.match(nothing.said, /tracker\.kind/);
    const unknown = await validated('---\ntracker: {kind: jira}\n---\nGo.\n');
    assert.equal(unknown.code, 3);
    assert.match(unknown.said, /jira/);
  },
);

shows(
  ['1.wrong-values', '1.written-states', '1.env.unset', '1.unknown-keys', '5.validate'],
  'wrong values are told with key, value and what would be right, all in one go',
  async () => {
    const {code, said} = await validated(
      [
        '---',
        'tracker:',
        '  kind: file',
        '  active_states: [Todo]',
        '  in_progress_state: Doing',
        '  handoff_state: Todo',
        'workspace: {root: $NOT_SET_ANYWHERE}',
        'polling: {interval_ms: 0}',
        'agent: {max_turnz: 5}',
        '---',
        'Go.',
      ].join('\n'),
    );
    assert.equal(code, 3);
    for (const words of ['in_progress_state', 'handoff_state', 'NOT_SET_ANYWHERE', 'interval_ms']) {
      assert.match(said, new RegExp(words));
    }
    assert.match(said, /2147483647/);
    assert.match(said, /max_turnz[^\n]*max_turns/);
    const slip = await validated('---\ntracker: {kind: file}\n---\n\nWork on {{issue.nmae}}.\n');
    assert.equal(slip.code, 0);
    assert.match(slip.said, /issue\.nmae/);
    assert.match(slip.said, /"line": ?5,/);
  },
);

shows(
  ['1.bytes', '1.path.default', '5.liquid', '5.null', '5.no-escape'],
  'a BOM, CRLF and blanks change nothing; Liquid is seen by its text, null is nothing, < stays <',
  async () => {
    await using scene = await Scene.set();
    const frontMatter = JSON.stringify({
      ...{name: 'p', tracker: {kind: 'file'}, workspace: {root: './workspaces'}},
      codex: {command: scene.puppet.command},
      agent: {max_turns: 1, max_turnz: 1},
    });
    const prompt =
      '{% if attempt %}again{% else %}{{ issue.title | upcase }}:{% endif %}{{ issue.branch_name }}.';
    await scene.project.writeText(`\uFEFF---  \r\n${frontMatter}\r\n--- \r\n${prompt}\r\n`);
    await scene.project.issue('T-1', {title: 'a <b> & "c"'});
    const supervisor = scene.start();
    assert.equal((await scene.turn('T-1')).input, 'A <B> & "C":.');
    assert.match(supervisor.output, /max_turnz/);
  },
);

shows(
  ['1.in-progress', '1.in-progress.failed'],
  'in_progress_state is written before launch; where that fails, it warns and the run continues',
  async () => {
    const tracker = {kind: 'file', in_progress_state: 'In Progress'};
    await using scene = await Scene.set({settings: {tracker}});
    await scene.project.issue('T-1');
    // The title is an alias of the state, which cannot be replaced without changing that as well.
    const stubborn = '---\nstate: &state Todo\ntitle: *state\n---\nDo it.\n';
    await writeFile(join(scene.project.path, 'issues/T-2.md'), stubborn);
    const supervisor = scene.start();
    await scene.turn('T-1');
    assert.equal(await scene.project.stateOf('T-1'), 'In Progress');
    await scene.turn('T-2');
    const warnings = supervisor.log.filter(({level}) => level === 'warn');
    assert.ok(warnings.some(({issue_identifier}) => issue_identifier === 'T-2'));
  },
);
