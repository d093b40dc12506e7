import {readFileSync} from 'node:fs';
import type {Options} from '../options.ts';
import {parseSteps, ScriptError, type Step} from './step.ts';

/** What to do in a turn, by its number in this process (from 0) and the text of its input. */
export interface Script {
  stepsOf(turn: number, input: string): Promise<readonly Step[]>;
  /** What to do instead of the rest of a turn when more input arrives; null: just go on. */
  stepsAfterSteering(input: string): Promise<readonly Step[] | null>;
}

export async function loadScript(options: Options): Promise<Script> {
  if (options['from-prompt']) return fromPrompt;
  if (options['script-json'] !== undefined) return fixed(JSON.parse(options['script-json']));
  if (options.script !== undefined) {
    const text = readFileSync(options.script, 'utf8');
    return fixed(options.script.endsWith('.json') ? JSON.parse(text) : await parseYaml(text));
  }
  return fixed([options.control === undefined ? {say: 'done'} : 'obey']);
}

/** The turns of a list, the last one over and over. A list of steps alone is one turn. */
function fixed(value: unknown): Script {
  if (!Array.isArray(value) || value.length === 0) {
    throw new ScriptError('a script is a list of turns, or of the steps of one turn');
  }
  const turns = (Array.isArray(value[0]) ? value : [value]).map(parseSteps);
  return {
    stepsOf: async (turn) => turns[Math.min(turn, turns.length - 1)] ?? [],
    stepsAfterSteering: async () => null,
  };
}

const fromPrompt: Script = {
  stepsOf: async (_, input) => (await stepsIn(input)) ?? [{say: 'nothing left to do'}],
  stepsAfterSteering: stepsIn,
};

async function stepsIn(input: string): Promise<readonly Step[] | null> {
  const block = /^[ \t]*```agent[ \t]*\n(.*?)^[ \t]*```/ms.exec(input)?.[1];
  return block === undefined ? null : parseSteps(await parseYaml(block));
}

async function parseYaml(text: string): Promise<unknown> {
  return (await import('./parse-yaml.ts')).parseYaml(text);
}
