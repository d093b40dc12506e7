import type {CodexStage, Performers} from '../script/stage.ts';
import {agentMessage, reasoning} from '../server/items.ts';
import type {Turn} from '../server/turn.ts';

/** What the model says: streamed in words, then once more as a whole. */
export const speech: Performers<'say' | 'think', CodexStage> = {
  async say({say: text, pace_ms, tokens}, {turn}) {
    const item = agentMessage(turn.thread.nextItemId('msg'));
    turn.start(item);
    const said = await stream(turn, text, pace_ms, (delta) => {
      turn.say('item/agentMessage/delta', {itemId: item.id, delta});
    });
    if (!said) return; // like the real server: a message that was cut is never completed
    turn.finish(item, {text});
    turn.spend(tokens);
  },

  async think({think: text, pace_ms}, {turn}) {
    const item = reasoning(turn.thread.nextItemId('rs'));
    const part = {itemId: item.id, summaryIndex: 0};
    turn.start(item);
    turn.say('item/reasoning/summaryPartAdded', part);
    const said = await stream(turn, text, pace_ms, (delta) => {
      turn.say('item/reasoning/summaryTextDelta', {...part, delta});
    });
    if (said) turn.finish(item, {summary: [text]});
  },
};

async function stream(
  turn: Turn,
  text: string,
  paceMs: number | undefined,
  emit: (delta: string) => void,
): Promise<boolean> {
  for (const word of text.match(/\s*\S+\s*$|\s*\S+\s/g) ?? [text]) {
    emit(word);
    if (paceMs !== undefined && !(await turn.pause(paceMs))) return false;
  }
  return true;
}
