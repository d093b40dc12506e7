import type {AgentBasics, RunFailure, ThreadRecord} from '@symphony-supervisor/protocol';
import {converseWith} from '../../../packages/runner/test/agent/contract/conversation.ts';
import {placeIn} from '../../../packages/runner/test/agent/contract/surroundings.ts';
import {aFolder} from '../../rig/fixtures/folder.ts';
import type {AgentRecording} from './agent-recording.ts';
import {type Cue, KindPlay} from './kind-play.ts';
import type {RecordedKind} from './recorded-kind.ts';
import {RelayedAgent} from './relayed-agent.ts';

export interface ReplayedKind {
  /** How each turn ended, one after the other. */
  readonly verdict: string;
  /** Requests of the agent that got no answer, or several. */
  readonly wronglyAnswered: readonly string[];
  readonly unexpected: readonly string[];
  readonly leftProcesses: readonly number[];
}

/** Plays a recording to our session of its kind, which takes the turns that are on record. */
export async function replayKind<Job extends AgentBasics>(
  kind: RecordedKind<Job>,
  recording: AgentRecording,
): Promise<ReplayedKind> {
  await using folder = await aFolder();
  const cues = new CueLine();
  const play = new KindPlay(recording.entries, kind.protocol, (cue) => cues.put(cue));
  await using relayed = await RelayedAgent.listen(folder.path, {
    onStart: (puppet, args) => play.start(puppet, args),
    onHeard: (line) => play.hear(line),
    onClosed: () => play.close(),
  });
  const job = kind.job(relayed.command, recording);
  await using conversation = converseWith(await kind.load(), job, placeIn(folder.path));
  const ends: string[] = [];
  try {
    await conversation.session.start(threadOf(kind, recording));
    await takeRecordedTurns(cues, ends, conversation.turn, () => conversation.session.interrupt());
  } catch (error) {
    ends.push(`not started: ${codeOf(error)}`);
  }
  await conversation[Symbol.asyncDispose]();
  return {
    verdict: ends.join(', '),
    wronglyAnswered: play.wronglyAnswered,
    unexpected: play.unexpected,
    leftProcesses: conversation.leftProcesses(),
  };
}

/** As a runner would: a question, or the death of the agent, ends it all. */
const LAST: ReadonlySet<string> = new Set(['port_exit', 'turn_input_required']);

async function takeRecordedTurns(
  cues: CueLine,
  ends: string[],
  takeTurn: (text: string) => Promise<RunFailure | null>,
  interrupt: () => Promise<void>,
): Promise<void> {
  for (let text = await cues.nextPrompt(); text !== null; text = await cues.nextPrompt()) {
    const turn = takeTurn(text);
    cues.onInterrupt = () => void interrupt();
    const failure = await turn;
    cues.onInterrupt = () => {};
    const end = failure === null ? 'completed' : failure.failure.code;
    ends.push(end);
    if (LAST.has(end)) return;
  }
}

/** What the recorded client did next, until our client does it, too. */
class CueLine {
  onInterrupt: () => void = () => {};
  readonly #prompts: string[] = [];
  #hasEnded = false;
  #wake: () => void = () => {};

  put(cue: Cue): void {
    if (cue.is === 'interrupt') this.onInterrupt();
    else if (cue.is === 'prompt') this.#prompts.push(cue.text);
    else this.#hasEnded = true;
    this.#wake();
  }

  /** null: there is no further turn on record. */
  async nextPrompt(): Promise<string | null> {
    while (this.#prompts.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#prompts.shift() ?? null;
  }
}

function threadOf<Job extends AgentBasics>(
  kind: RecordedKind<Job>,
  recording: AgentRecording,
): ThreadRecord | null {
  const recorded = kind.recorded(recording);
  if (recorded === null) return null;
  return {
    ...{...recorded, agent: kind.kind, workspace_path: '/w', prompt_digest: '', turns: 1},
    ...{role: 'worker', phase: null, tools_digest: null},
  };
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'failure' in error) {
    return (error as RunFailure).failure.code;
  }
  throw error;
}
