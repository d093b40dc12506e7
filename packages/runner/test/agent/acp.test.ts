import {acp} from '../../src/agent/acp/agent.ts';
import {acpJob, playing, stepsOf} from './acp/player.ts';
import {acpPlayers} from './contract/declared/acp.ts';
import {hasPermissionRequest} from './contract/deed.ts';
import {scripted} from './contract/player.ts';
import {testContract} from './contract/suite.ts';

testContract(
  scripted({
    kind: 'acp',
    agent: acp,
    ...acpPlayers.scripted,
    job: (home, turns) => {
      const steps = turns.length === 0 ? [[]] : turns.map((deeds) => deeds.flatMap(stepsOf));
      const player = playing(home, steps);
      return hasPermissionRequest(turns) ? {...player, permissions: 'ask'} : player;
    },
    refusing: () => acpJob('--fail-initialize'),
  }),
);
