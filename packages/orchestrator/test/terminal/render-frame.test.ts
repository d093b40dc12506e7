import assert from 'node:assert/strict';
import {test} from 'node:test';
import {stripVTControlCharacters} from 'node:util';
import {NO_USAGE} from '@symphony-supervisor/protocol';
import {clean, fit, width} from '../../src/terminal/cells.ts';
import {renderFrame} from '../../src/terminal/render-frame.ts';
import {AT, aHeld, aProject, aRetrying, aRunning, aSnapshot, aWaiting} from '../view/a-snapshot.ts';

const SIZES = [
  {columns: 200, rows: 60},
  {columns: 80, rows: 24},
  {columns: 40, rows: 10},
  {columns: 20, rows: 3},
  {columns: 1, rows: 1},
];

const HOSTILE =
  '\u001b[2J\u001b]0;owned\u0007\u001b[31mred\u0000\u0007\r\n\u009b5m\u202eabc\u2066 日本語 👩‍👩‍👧 end';

function full() {
  return aSnapshot({
    running: [
      aRunning('A-1', {last_message: HOSTILE}),
      ...Array.from({length: 30}, (_, index) => aRunning(`A-${index + 2}`)),
    ],
    held: [aHeld('H-1', {question: HOSTILE, issue_identifier: '日本語の長い識別子-1'})],
    retrying: [aRetrying('R-1', {error: HOSTILE})],
    waiting: Array.from({length: 50}, (_, index) => aWaiting(`W-${index}`)),
    projects: [aProject({problem: HOSTILE})],
  });
}

for (const {columns, rows} of SIZES) {
  test(`on ${columns}×${rows} no line is too wide and none too many`, () => {
    for (const hasColour of [false, true]) {
      const frame = renderFrame(full(), {columns, rows, now: AT, hasColour, warnings: [HOSTILE]});
      assert.ok(frame.length <= rows);
      for (const line of frame) assert.ok(width(line) <= columns, JSON.stringify(line));
    }
  });
}

test('no byte of data reaches the terminal as anything but text', () => {
  const frame = renderFrame(full(), {columns: 200, rows: 60, now: AT, warnings: [HOSTILE]});
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(frame.join(''), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  assert.match(frame.join('\n'), /A-1 .*red.*日本語/);
});

test('columns stay aligned beside wide characters', () => {
  const running = [
    aRunning('A-1'),
    aRunning('A-2', {issue_identifier: '問題-2'}),
    aRunning('A-3', {issue_identifier: '🚀🚀🚀🚀🚀🚀🚀🚀'}),
  ];
  const frame = renderFrame(aSnapshot({running}), {columns: 100, rows: 20, now: AT});
  const columns = frame
    .filter((line) => line.includes('working'))
    .map((line) => width(line.slice(0, line.indexOf('working'))));
  assert.deepEqual(columns, [14, 14, 14]);
});

test('every claim is shown with what a person wants to know of it', () => {
  const snapshot = aSnapshot({
    running: [aRunning('A-1', {turn_count: 3})],
    held: [aHeld('H-1', {reason: 'turn_input_required', question: 'Which colour?'})],
    retrying: [aRetrying('R-1')],
    waiting: [aWaiting('W-1')],
  });
  const text = renderFrame(snapshot, {columns: 120, rows: 40, now: AT}).join('\n');
  assert.match(text, /slots 1\/10 {2}running 1 {2}retrying 1 {2}held 1 {2}waiting 1/);
  assert.match(text, /next poll 12s/);
  assert.match(text, /A-1 +working +turn 3 +12\.3k +1m 00s +5s +codex m-1 +A-1 works/);
  assert.match(text, /H-1 +turn input required +1h +Which colour\?/);
  assert.match(text, /R-1 +in 1m 30s +failure +turn failed/);
  assert.match(text, /W-1 +no slot is free +title of W-1/);
});

test('where space is short every section keeps a line, and says how many it hides', () => {
  const running = Array.from({length: 30}, (_, index) => aRunning(`A-${index}`));
  const retrying = Array.from({length: 9}, (_, index) => aRetrying(`R-${index}`));
  const frame = renderFrame(aSnapshot({running, retrying}), {columns: 80, rows: 16, now: AT});
  const text = frame.join('\n');
  assert.equal(frame.length, 16);
  assert.match(text, /Running 30[\s\S]*… 26 more/);
  assert.match(text, /Retrying 9[\s\S]*… 5 more/);
});

test('the last warnings of the log are the last lines', () => {
  const warnings = ['one', 'two', 'three', 'four'];
  const frame = renderFrame(aSnapshot(), {columns: 40, rows: 12, now: AT, warnings});
  assert.equal(frame.length, 12);
  assert.deepEqual(
    frame.slice(-3).map((line) => line.trim()),
    ['log: two', 'log: three', 'log: four'],
  );
});

test('colours are only around the text, never in its width', () => {
  const options = {columns: 90, rows: 30, now: AT};
  const plain = renderFrame(full(), options);
  const painted = renderFrame(full(), {...options, hasColour: true});
  assert.deepEqual(painted.map(stripVTControlCharacters), plain);
});

test('text is cut between characters, not within one', () => {
  const family = '👩‍👩‍👧';
  assert.equal(fit(`ab${family}cd`, 5), `ab${family}…`.padEnd(`ab${family}…`.length));
  assert.equal(fit('日本語', 4), '日… ');
  assert.equal(fit('x', 3, 'right'), '  x');
  assert.equal(clean('a\tb\nc'), 'a b c');
});

test('a role stands before what is said, and the workflow file itself needs no mention', () => {
  const snapshot = aSnapshot({
    running: [aRunning('A-1', {role: 'docs'}), aRunning('A-2')],
    held: [aHeld('H-1', {role: 'docs'})],
    retrying: [aRetrying('R-1', {role: 'docs'})],
    waiting: [{...aWaiting('W-1'), role: 'docs'}],
  });
  const text = renderFrame(snapshot, {columns: 200, rows: 60, now: AT}).join('\n');
  assert.match(text, /A-1 .* \[docs\] A-1 works/);
  assert.match(text, /A-2 .*\d+s +codex m-1 +A-2 works/);
  assert.match(text, /H-1 .* \[docs\] title of H-1: stopped by hand/);
  assert.match(text, /R-1 .* \[docs\] turn failed/);
  assert.match(text, /W-1 .* \[docs\] title of W-1/);
});

test('on a narrow terminal there is no room for the agent', () => {
  const running = [aRunning('A-1')];
  const lines = renderFrame(aSnapshot({running}), {columns: 99, rows: 40, now: AT});
  assert.match(lines.join('\n'), /A-1 +working.* A-1 works/);
  assert.doesNotMatch(lines.join('\n'), /codex/);
});

test('tokens that are not measured are never shown as a number', () => {
  const running = [
    aRunning('A-1', {usage: 'unmeasured', tokens: NO_USAGE}),
    aRunning('A-2', {last_message: 'counted'}),
  ];
  const none = {input_tokens: 0, output_tokens: 0, total_tokens: 0, seconds_running: 1};
  for (const columns of [80, 120]) {
    const snapshot = aSnapshot({running, codex_totals: none});
    const text = renderFrame(snapshot, {columns, rows: 40, now: AT}).join('\n');
    assert.match(text, /tokens unmeasured/);
    assert.match(text, /A-1 +working +turn 1 +unmeasured +1m 00s/);
    assert.match(text, /A-2 +working +turn 1 {7}12\.3k +1m 00s/, 'in the same columns');
  }
});
