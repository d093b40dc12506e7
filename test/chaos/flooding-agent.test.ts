import assert from 'node:assert/strict';
import {test} from 'node:test';
import {identify, isAlive} from '@symphony-supervisor/protocol/processes';
import {writeIssue} from '../rig/supervisor.ts';
import {Storm} from './weather/storm.ts';

test('an agent that floods, and is deaf to being asked to end, is ended; others work on meanwhile', async () => {
  await using storm = await Storm.brews(['T-1'], {agent: {max_concurrent_agents: 2}});
  await using supervisor = storm.start();
  const deaf = await storm.puppet.nextTurn();
  const agent = identify(deaf.agent.pid);
  assert.ok(agent !== null);
  await deaf.performs({ignore: 'SIGTERM'});
  await deaf.performs({ignore: 'stdin'});
  const flood = deaf.performs({flood: 100_000_000, size: 200}).catch(() => {});

  await writeIssue(storm.folder, 'T-2', 'Todo');
  await storm.completes(await storm.nextTurnOf('T-2'), 'T-2');
  assert.ok(isAlive(agent), 'the flood was to go on');
  await writeIssue(storm.folder, 'T-1', 'Done');
  await deaf.agent.gone;
  await flood;
  await supervisor.logged('claim.released', 'p/T-1');
  await storm.isOver(supervisor);
});
