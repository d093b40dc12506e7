import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Performers, Stage} from '../script/stage.ts';

/** What makes an agent hard to get rid of. */
export const survivors: Performers<'ignore' | 'leave', Stage> = {
  ignore({ignore: end}, {host}) {
    host.ignore(end);
  },

  /**
   * Starts a detached process, in a session of its own and with its parent gone, so
   * that neither our process group nor our descendants lead to it. With `holding: stdout` it also
   * keeps the client's pipe open after our death. Returns its pid.
   */
  async leave({leave: command, holding}, {turn}) {
    const shell = spawn('/bin/sh', ['-c', 'sh -c "$0" 3>&- & echo $! >&3', command], {
      cwd: turn?.cwd,
      env: {...process.env, ...turn?.marks},
      detached: true,
      stdio: ['ignore', holding === 'stdout' ? 1 : 'ignore', 'ignore', 'pipe'],
    });
    const pid = shell.stdio[3];
    if (pid === null || pid === undefined) throw new Error('no pipe for the pid');
    const [text] = await once(pid, 'data');
    return {pid: Number(text)};
  },
};
