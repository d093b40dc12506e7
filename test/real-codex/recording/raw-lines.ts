type Line = Readonly<Record<string, unknown>>;

/** What a transcript says in words for every agent; the raw messages say the same. */
const NEUTRAL = new Set([
  ...['message', 'reasoning', 'plan', 'command', 'file_change', 'tool', 'question', 'notice'],
  ...['usage', 'prompt', 'turn_ended'],
]);

/** Streamed text is in a transcript once, and there not as Codex sent it. */
const STREAMS: Readonly<Record<string, string>> = {
  message: 'item/agentMessage/delta',
  reasoning: 'item/reasoning/summaryTextDelta',
  command: 'item/commandExecution/outputDelta',
};

/** A transcript in the form of recordings: Codex's own messages, and events that are not about them. */
export function rawLines(transcript: string): string {
  let turn: Line = {};
  const lines = transcript.split('\n').flatMap((text) => {
    if (text === '') return [];
    const {agent: _, ...line}: Line = JSON.parse(text);
    turn = turnOf(line) ?? turn;
    if (typeof line.delta === 'string') return [JSON.stringify(streamed(line, turn))];
    return NEUTRAL.has(String(line.ev)) ? [] : [JSON.stringify(line)];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function streamed({t, ev, id, delta}: Line, turn: Line): Line {
  const params = {...turn, itemId: id, delta};
  return {t, dir: '<-', msg: {method: STREAMS[String(ev)], params}};
}

/** The turn that has begun, as the pieces of its text name it. */
function turnOf({msg}: Line): Line | null {
  const {method, params} = (msg ?? {}) as {
    method?: string;
    params?: {threadId?: string; turn?: {id?: string}};
  };
  if (method !== 'turn/started') return null;
  return {threadId: params?.threadId, turnId: params?.turn?.id};
}
