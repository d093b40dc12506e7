import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {hang, run, say} from '../deed.ts';
import type {ContractCase} from '../stage.ts';
import {SECRET} from '../surroundings.ts';
import {made} from '../the-end.ts';

export const secretCases = {
  'secrets.unseen': {
    rule: 'the tracker’s secrets are in no environment, command line or file of the agent',
    play: async ({talk, workspace, folder}) => {
      const look = '(env; bash -c env; cat /proc/$PPID/environ) > seen 2> /dev/null; touch looked';
      await using conversation = await talk([[run(look), say('looked'), hang]]);
      await conversation.session.start(null);
      const turn = conversation.turn('Look around.');
      await made(workspace, 'looked');
      const processes = conversation.leftProcesses().map(whatIsKnownOf).join('\n');
      await conversation.session.interrupt();
      await turn;
      await conversation[Symbol.asyncDispose]();
      assert.match(readFileSync(join(workspace, 'seen'), 'utf8'), /SYMPHONY_RUN_ID=/);
      assert.match(processes, /SYMPHONY_RUN_ID=/);
      assert.equal(processes.includes(SECRET), false, 'a process');
      assert.deepEqual(filesWith(SECRET, folder), []);
    },
  },
} satisfies Record<string, ContractCase>;

function whatIsKnownOf(pid: number): string {
  try {
    return ['environ', 'cmdline']
      .map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'))
      .join();
  } catch {
    return ''; // it has just ended
  }
}

/** The transcript is among them. */
function filesWith(text: string, folder: string): string[] {
  const files = readdirSync(folder, {withFileTypes: true, recursive: true});
  const paths = files.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return paths.filter((path) => readFileSync(path).includes(text));
}
