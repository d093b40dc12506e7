import {fileURLToPath} from 'node:url';
import {scripted} from '../contract/player.ts';
import {testContract} from '../contract/suite.ts';
import {type TeletypeJob, teletype} from './agent.ts';

// The agent that docs/contributing/add-an-agent.md explains: as good as those that are shipped.

const PROGRAM = fileURLToPath(new URL('teletype.mjs', import.meta.url));

function job(home: string, turns: unknown, mode = ''): TeletypeJob {
  const script = JSON.stringify(turns).replaceAll("'", `'\\''`);
  return {
    ...{kind: 'teletype', model: null, effort: null, access: 'write'},
    ...{turn_timeout_ms: 60_000, read_timeout_ms: 30_000},
    command: `exec '${process.execPath}' '${PROGRAM}' '${home}' '${script}' '${mode}'`,
  };
}

testContract(
  scripted({
    kind: 'the example',
    agent: teletype,
    cannot: {'launch.logged-out': 'a teletype has no login'},
    job,
    refusing: () => job('/', [], 'refuse'),
  }),
);
