import assert from 'node:assert/strict';
import {test} from 'node:test';
import {errors, read, settings, warnings} from './fixture.ts';

test('the defaults of Claude Code are its own', () => {
  const {command, readTimeoutMs, options} = settings('agent: {kind: claude}').agent;
  assert.equal(command, 'claude');
  assert.equal(readTimeoutMs, 30_000);
  assert.deepEqual(options, {
    ...{kind: 'claude', permission_mode: 'acceptEdits', allowed_tools: [], disallowed_tools: []},
    ...{on_permission: 'deny', sandbox: 'auto', max_retries: 4},
  });
  const reader = settings('agent: {kind: claude, access: read}').agent.options;
  assert.equal(reader.kind === 'claude' && reader.permission_mode, 'manual');
});

test('a mode or a tool that allows more than the access is an error', () => {
  for (const [access, section, complains] of [
    ['read', 'permission_mode: acceptEdits', true],
    ['read', 'permission_mode: dontAsk', false],
    ['read', 'allowed_tools: [Edit]', true],
    ['read', 'allowed_tools: ["Bash(git log:*)"]', false],
    ['artifact', 'permission_mode: bypassPermissions', true],
    ['artifact', 'permission_mode: acceptEdits', false],
    ['artifact', 'allowed_tools: [WebFetch, Bash]', true],
    ['write', 'permission_mode: bypassPermissions', false],
    ['write', 'allowed_tools: [Bash, Write]', false],
  ] as const) {
    const reading = read(
      `tracker: {kind: folder}\nagent: {kind: claude, access: ${access}}\nclaude: {${section}}`,
    );
    const found = errors(reading);
    assert.equal(found.length, complains ? 1 : 0, `${access}, ${section}: ${found}`);
    if (complains) assert.match(found[0] ?? '', /allows more than agent\.access/);
  }
});

test('a mode that we do not know is a warning, with the one that was meant', () => {
  const file = (mode: string) =>
    read(`tracker: {kind: folder}\nagent: {kind: claude}\nclaude: {permission_mode: ${mode}}`);
  assert.deepEqual(warnings(file('plan')), []);
  const [warning] = warnings(file('acceptEdit'));
  assert.match(warning ?? '', /did you mean acceptEdits\?/);
});

test('rules are a list: a comma may be part of one', () => {
  const rules = 'claude: {allowed_tools: ["Bash(a, b)"]}';
  const {options} = settings(`agent: {kind: claude}\n${rules}`).agent;
  assert.deepEqual(options.kind === 'claude' && options.allowed_tools, ['Bash(a, b)']);
  const reading = read('tracker: {kind: folder}\nclaude: {allowed_tools: "Bash, Read"}');
  assert.match(errors(reading)[0] ?? '', /a list of tools/);
});
