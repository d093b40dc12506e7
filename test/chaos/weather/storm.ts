import assert from 'node:assert/strict';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {findProcesses, identify} from '@symphony-supervisor/protocol/processes';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import type {PuppetTurn} from '@symphony-supervisor/scripts/puppet-turn';
import {isSound, readStore} from '../../rig/fixtures/store-file.ts';
import {aProject, reaches, SupervisorRig, writeIssue} from '../../rig/supervisor.ts';
import {until} from '../../rig/survivors.ts';

/** A project, an agent in the test's hands, and what must be true when the storm is over. */
export class Storm implements AsyncDisposable {
  readonly folder: string;
  readonly puppet: AgentPuppet;
  readonly #project: AsyncDisposable;

  /** `before` is what the shell of the agent does before it becomes the agent. */
  static async brews(
    issues: readonly string[],
    settings: Record<string, unknown> = {},
    before = ':',
  ) {
    const puppet = await AgentPuppet.listen();
    // The lock is the agent's own for as long as it lives: a second one in its place is told on.
    const command = [
      before,
      'exec 9>>"$HOME/alive-$(basename "$PWD")"',
      'flock -n 9 || echo "$PWD" >> "$HOME/twice"',
      `exec ${puppet.command}`,
    ].join('; ');
    const project = await aProject(command, issues, settings);
    return new Storm(project, puppet);
  }

  private constructor(project: AsyncDisposable & {path: string}, puppet: AgentPuppet) {
    this.#project = project;
    this.folder = project.path;
    this.puppet = puppet;
  }

  start(args: readonly string[] = []): SupervisorRig {
    return new SupervisorRig(this.folder, args);
  }

  /** Resolves when the store knows a turn of this thread: from then on it survives anything. */
  async isOnRecord(threadId: string): Promise<void> {
    const seen = await until(async () => {
      const claims = [...readStore(this.folder).claims.values()];
      return claims.some(({thread}) => thread?.id === threadId && thread.turns > 0) ? true : null;
    });
    assert.ok(seen, 'the thread never went on record');
  }

  /** Something changes that has to be written, and it says that it cannot. */
  async cannotWrite(supervisor: SupervisorRig, turn: PuppetTurn): Promise<void> {
    await turn.says('This goes on record.', {input: 1, output: 1});
    await supervisor.shows('a store that cannot be written', (state) => {
      return !state.supervisor.store_is_writable;
    });
  }

  /**
   * Newcomers that could be worked on, and are not. One after the other: each that shows as waiting was
   * read by a tick that came after the one before, so the chance to start was there as many times.
   */
  async startsNothing(supervisor: SupervisorRig, issues: readonly string[], why: string) {
    const before = await this.#atWork(supervisor);
    for (const issue of issues) {
      await writeIssue(this.folder, issue, 'Todo');
      const {waiting} = await supervisor.shows(`what it does with ${issue}`, (state) =>
        [...state.waiting, ...state.running].some(({issue_identifier: at}) => at === issue),
      );
      assert.deepEqual(await this.#atWork(supervisor), before, 'something was started');
      const row = waiting.find(({issue_identifier: at}) => at === issue);
      assert.equal(row?.reason, why);
    }
  }

  async #atWork({process: {pid}}: SupervisorRig) {
    const root = identify(pid ?? 0);
    assert.ok(root !== null, 'the supervisor has ended');
    const processes = findProcesses({roots: [root], markers: [], except: []});
    return {processes, workspaces: await readdir(join(this.folder, 'workspaces'))};
  }

  /** The service still does its job, and then leaves nothing behind. */
  async isOver(supervisor: SupervisorRig): Promise<void> {
    await writeIssue(this.folder, 'AFTER', 'Todo');
    await this.completes(await this.nextTurnOf('AFTER'), 'AFTER');
    await this.leavesNothing(supervisor);
  }

  /** With all work done it ends in order; and nothing is left, lost or double. */
  async leavesNothing(supervisor: SupervisorRig): Promise<void> {
    const released = await until(async () =>
      readStore(this.folder).claims.size === 0 ? true : null,
    );
    const claims = JSON.stringify([...readStore(this.folder).claims.values()]);
    assert.ok(released, `claims are left: ${claims}`);
    supervisor.process.kill('SIGTERM');
    assert.equal((await supervisor.exited).code, 0);

    await assert.rejects(readFile(join(this.folder, 'twice')), {code: 'ENOENT'}, 'two ran at once');
    const markers = [`HOME=${this.folder}`];
    const left = findProcesses({roots: [], markers, except: [process.pid]});
    assert.deepEqual(left, [], 'a process is alive');
    assert.ok(isSound(this.folder));
    const open = readStore(this.folder).runs.filter(({ended_at}) => ended_at === null);
    assert.deepEqual(open, [], 'a run was never closed');
  }

  async nextTurnOf(issue: string): Promise<PuppetTurn> {
    for (;;) {
      const turn = await this.puppet.nextTurn();
      if (turn.input.includes(issue)) return turn;
    }
  }

  async completes(turn: PuppetTurn, issue: string): Promise<void> {
    await turn.callsTool('update_issue', {state: 'Done'});
    await turn.completes();
    await reaches(this.folder, issue, 'Done');
  }

  /** The next turns are theirs, in whatever order. */
  async completesAll(issues: readonly string[]): Promise<void> {
    const turns: PuppetTurn[] = [];
    while (turns.length < issues.length) turns.push(await this.puppet.nextTurn());
    for (const issue of issues) {
      const turn = turns.find(({input}) => input.includes(issue));
      assert.ok(turn !== undefined, `${issue} was not started`);
      await this.completes(turn, issue);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.puppet[Symbol.asyncDispose]();
    await this.#project[Symbol.asyncDispose]();
  }
}

/** The runner of an agent: the parent of the shell that became it. */
export async function runnerOf(agent: {readonly pid: number}): Promise<number> {
  const status = await readFile(`/proc/${agent.pid}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}
