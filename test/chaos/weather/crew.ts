import type {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import type {PuppetTurn} from '@symphony-supervisor/scripts/puppet-turn';

const COMMENTS = 3;

/** Agents that do a little work on whatever comes, and go on whatever the tracker does to them. */
export class Crew {
  /** Every comment that was made, and whether its agent was told that it is written. */
  readonly comments = new Map<string, boolean>();

  readonly threads = new Set<string>();

  /** Until the puppet is no more. */
  async takesAll(puppet: AgentPuppet): Promise<void> {
    for (;;) void this.takes(await puppet.nextTurn());
  }

  async takes(turn: PuppetTurn): Promise<void> {
    this.threads.add(turn.threadId);
    try {
      for (let left = COMMENTS; left > 0; left--) await this.#comments(turn);
      await turn.completes();
    } catch {
      // Its run was ended: nothing else forestalls an order.
      await turn.over;
    }
  }

  async #comments(turn: PuppetTurn): Promise<void> {
    const comment = `Comment ${this.comments.size}`;
    this.comments.set(comment, false);
    await turn.edits('work.txt', comment);
    const answer = await turn.callsTool('linear_issue', {comment});
    this.comments.set(comment, 'result' in answer && answer.result.success === true);
  }
}
