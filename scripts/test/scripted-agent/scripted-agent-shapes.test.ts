import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {type Fields, fieldsOf} from '../../scripted-agent/json.ts';
import type {StepOrWord} from '../../scripted-agent/script/step.ts';
import {AgentClient} from './scripted-agent-client.ts';

type Shapes = {readonly [name: string]: readonly (readonly string[])[]};

const {notifications, requests, items, parts, published}: {readonly [group: string]: Shapes} =
  JSON.parse(readFileSync(new URL('app-server-shapes.json', import.meta.url), 'utf8'));

/** One of everything that the agent can say. */
const everything: StepOrWord[][] = [
  [
    {think: 'a thought'},
    {run: 'echo hi', ask: true},
    {run: 'echo hi', ask: 'with a reason'},
    {edit: 'file', text: 'text', ask: true},
    {tool: 'tracker'},
    {permissions: {}},
    {question: 'which?'},
    {elicit: 'your name?'},
    {rate_limits: {primary: 1, secondary: 2}},
    {retrying: 1},
    {flood: 1},
    {say: 'done'},
  ],
  [{fail: 'at last'}],
];

const ANSWERS: {readonly [method: string]: Fields} = {
  'item/tool/call': {contentItems: [], success: true},
  'item/permissions/requestApproval': {permissions: {}},
  'item/tool/requestUserInput': {answers: {}},
  'mcpServer/elicitation/request': {action: 'decline', content: null},
};

test('every message has the fields of the real one', {timeout: 30_000}, async () => {
  const {client, threadId} = await AgentClient.withThread(everything);
  await using _ = client;
  const turnId = await client.startTurn(threadId);
  const answered = new Set<unknown>();
  const answerAll = () => {
    for (const {id, method} of client.messages.map(fieldsOf)) {
      if (typeof method !== 'string' || id === undefined || answered.has(id)) continue;
      answered.add(id);
      client.answer(id, ANSWERS[method] ?? {decision: 'accept'});
    }
  };
  await client.until(() => {
    answerAll();
    return client.told('turn/completed').length === 1;
  });
  assert.equal((await client.end(turnId)).status, 'completed');
  await client.turn(threadId);
  await client.request('thread/name/set', {threadId, name: 'a name'});
  await client.request('thread/resume', {threadId});
  await client.find(({method}) => method === 'thread/goal/cleared');

  const seen = new Set<string>();
  const check = (shapes: Shapes | undefined, name: string, value: unknown): void => {
    const known = shapes?.[name] ?? published?.[name] ?? [];
    const fields = Object.keys(fieldsOf(value)).sort();
    assert.ok(
      known.some((shape) => shape.join() === fields.join()),
      `${name} has ${fields}, the real one ${known.join(' or ')}`,
    );
    seen.add(name);
  };

  for (const {method, id, params, result, emittedAtMs} of client.messages.map(fieldsOf)) {
    const {item, thread, turn, tokenUsage, rateLimits, error} = fieldsOf(params);
    if (typeof method !== 'string') {
      const settings = fieldsOf(result);
      const kind = 'collaborationMode' in settings ? 'resume' : 'start';
      if ('thread' in settings) check(parts, kind, settings);
      continue;
    }
    check(id === undefined ? notifications : requests, method, params);
    assert.equal(typeof emittedAtMs, id === undefined ? 'number' : 'undefined');
    if (item !== undefined) check(items, String(fieldsOf(item).type), item);
    if (thread !== undefined) check(parts, 'thread', thread);
    if (turn !== undefined) check(parts, 'turn', turn);
    if (rateLimits !== undefined) check(parts, 'rateLimits', rateLimits);
    if (error !== undefined) check(parts, 'error', error);
    if (tokenUsage !== undefined) {
      check(parts, 'tokenUsage', tokenUsage);
      check(parts, 'tokenCount', fieldsOf(tokenUsage).last);
      check(parts, 'tokenCount', fieldsOf(tokenUsage).total);
    }
  }
  const all = [notifications, requests, items, parts, published].map((shapes) => shapes ?? {});
  const names = new Set(all.flatMap((shapes) => Object.keys(shapes)));
  assert.deepEqual([...seen].sort(), [...names].sort(), 'and nothing is left unchecked');
});
