import type {Performers} from '../../script/stage.ts';
import {USUAL_COST} from '../../server/tokens.ts';
import type {ClaudeTurn} from '../claude-turn.ts';
import type {ClaudeStage} from '../repertoire.ts';

/** What the model says: told as a whole when it has been said. */
export const speech: Performers<'say' | 'think', ClaudeStage> = {
  async say({say: text, pace_ms, tokens = USUAL_COST}, {turn}) {
    if (await takesTime(turn, text, pace_ms)) turn.block({type: 'text', text}, tokens);
  },

  async think({think: thinking, pace_ms}, {turn}) {
    if (await takesTime(turn, thinking, pace_ms)) {
      turn.block({type: 'thinking', thinking, signature: 'scripted'});
    }
  },
};

/** False when new input cut it short. */
async function takesTime(turn: ClaudeTurn, text: string, paceMs?: number): Promise<boolean> {
  if (paceMs === undefined) return true;
  return turn.pause(paceMs * text.split(/\s+/).length);
}
