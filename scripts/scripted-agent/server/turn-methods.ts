import {type Fields, fieldsOf} from '../json.ts';
import type {Options} from '../options.ts';
import {performAll, performInTurn} from '../script/perform.ts';
import type {Script} from '../script/script.ts';
import type {Step} from '../script/step.ts';
import type {CodexHost} from './codex-host.ts';
import {loaded, type Method} from './methods.ts';
import {textOf, turnSandbox} from './params.ts';
import {Turn} from './turn.ts';
import {Refusal} from './wire.ts';

/** The real server's limit for the text of one turn. */
const MAX_INPUT_CHARS = 1_048_576;

export function turnMethods(
  host: CodexHost,
  options: Options,
  script: Script,
): {readonly [name: string]: Method} {
  const plans = new WeakMap<Turn, Step[]>();
  let turns = 0;

  /** A turn from its first notification to its last. */
  async function play(turn: Turn, params: Fields): Promise<void> {
    const gate = options['started-gate'];
    if (gate !== undefined) await host.gate(gate).passed;
    const input = inputText(params);
    turn.begin(params.input);
    host.turns.set(turn.id, {perform: (step) => performInTurn(step, turn, host)});
    host.report({report: 'turn', turnId: turn.id, threadId: turn.thread.id, input});
    try {
      const plan = [...(await script.stepsOf(turns++, input))];
      plans.set(turn, plan);
      await performAll(plan, turn, host);
      turn.end('completed');
    } catch (error) {
      blame(turn, error);
    } finally {
      host.turns.delete(turn.id);
      host.report({report: 'turn-over', turnId: turn.id, status: turn.status});
    }
  }

  async function steer(turn: Turn, params: Fields): Promise<void> {
    try {
      const steps = await script.stepsAfterSteering(inputText(params));
      if (steps !== null) plans.get(turn)?.splice(0, Number.POSITIVE_INFINITY, ...steps);
      if (!turn.isOver) turn.steer(params.input);
    } catch (error) {
      blame(turn, error);
    }
  }

  return {
    'turn/start': (params) => {
      const thread = loaded(host, params);
      checkInput(params);
      thread.configure(params, turnSandbox(params.sandboxPolicy, thread.record.sandbox));
      const running = thread.turn;
      if (running !== null) {
        const turn = {...running.describe(), startedAt: null}; // as recorded: a response never tells
        return {result: {turn}, afterwards: () => void steer(running, params)};
      }
      const turn = new Turn(thread, host.wire);
      thread.turn = turn;
      if (thread.record.preview === '') thread.record.preview = inputText(params);
      // A moment later, as in the original: an interrupt sent along with the start comes too early.
      return {
        result: {turn: turn.describe()},
        afterwards: () => setImmediate(() => play(turn, params)),
      };
    },

    'turn/steer': (params) => {
      const {turn} = loaded(host, params);
      checkInput(params);
      if (turn === null) throw new Refusal('no active turn to steer');
      return {result: {turnId: turn.id}, afterwards: () => void steer(turn, params)};
    },

    'turn/interrupt': (params) => {
      const thread = loaded(host, params);
      const turnId = textOf(params, 'turnId');
      const {turn} = thread;
      if (turn === null && turnId === '') return {result: {}};
      if (!turn?.hasStarted) throw new Refusal('no active turn to interrupt');
      if (turnId !== turn.id) {
        throw new Refusal(`expected active turn id ${turnId} but found ${turn.id}`);
      }
      turn.pay();
      return {result: {}, afterwards: () => turn.end('interrupted')};
    },
  };
}

/** A step that the end of its turn cut short is no fault; any other error is the script's, and shown. */
function blame(turn: Turn, error: unknown): void {
  if (turn.isOver) return;
  const message = error instanceof Error ? error.message : String(error);
  turn.end('failed', {
    message: `script: ${message}`,
    codexErrorInfo: 'other',
    additionalDetails: null,
    misalignment: null,
  });
}

function checkInput(params: Fields): void {
  if (!Array.isArray(params.input)) throw new Refusal('Invalid request: missing field `input`');
  if (inputText(params).length <= MAX_INPUT_CHARS) return;
  throw new Refusal(`Input exceeds the maximum length of ${MAX_INPUT_CHARS} characters.`, -32602, {
    input_error_code: 'input_too_large',
  });
}

function inputText(params: Fields): string {
  const parts = Array.isArray(params.input) ? params.input.map(fieldsOf) : [];
  return parts.map(({text}) => (typeof text === 'string' ? text : '')).join('\n');
}
