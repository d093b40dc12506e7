import type {Performers, TurnStage} from '../script/stage.ts';

/** Steps in which nothing happens, until something does. */
export const pauses: Performers<'sleep' | 'wait' | 'hang' | 'obey', TurnStage> = {
  async sleep({sleep: ms}, {turn}) {
    await turn.pause(ms);
  },

  async wait({wait: name}, {turn, host}) {
    host.report({report: 'waiting', gate: name});
    await turn.until(host.gate(name).passed);
  },

  async hang(_, {turn}) {
    await turn.pause(null);
  },

  /** Leaves the turn to the orders of the test; only an ending of the turn goes past this. */
  async obey(_, {turn}) {
    while (true) await turn.pause(null);
  },
};
