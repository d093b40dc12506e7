import type {EndOfLife} from '../host.ts';
import {type Fields, isFields} from '../json.ts';
import type {Tokens} from '../server/tokens.ts';

/** A step that is one request to the model may say what it costs. */
interface Costly {
  readonly tokens?: Tokens;
}

/** Every step by its name. A step is an object whose first key is that name; README.md has the table. */
export interface StepShapes {
  say: {readonly say: string; readonly pace_ms?: number} & Costly;
  think: {readonly think: string; readonly pace_ms?: number};
  run: {
    readonly run: string;
    readonly ask?: boolean | string;
    readonly background?: boolean;
  } & Costly;
  edit: {readonly edit: string; readonly text: string; readonly ask?: boolean | string} & Costly;
  tool: {
    readonly tool: string;
    readonly arguments?: unknown;
    readonly namespace?: string;
    readonly expect?: string;
  } & Costly;
  permissions: {readonly permissions: Fields; readonly reason?: string} & Costly;
  question: {
    readonly question: string;
    readonly options?: readonly string[];
    readonly id?: string;
  } & Costly;
  elicit: {
    readonly elicit: string;
    readonly server?: string;
    readonly schema?: Fields;
    readonly meta?: Fields;
  } & Costly;
  request: {readonly request: string; readonly params?: Fields};
  notify: {readonly notify: string; readonly params?: Fields};
  usage: {readonly usage: Tokens};
  rate_limits: {readonly rate_limits: Fields};
  retrying: {
    readonly retrying: number;
    readonly every_ms?: number;
    readonly message?: string;
    readonly info?: unknown;
  };
  flood: {
    readonly flood: number;
    readonly per_second?: number;
    readonly size?: number;
    readonly of?: 'message' | 'output';
  };
  raw: {readonly raw: string; readonly newline?: boolean};
  huge: {readonly huge: number};
  stderr: {readonly stderr: string};
  ignore: {readonly ignore: EndOfLife};
  leave: {readonly leave: string; readonly holding?: 'stdout'};
  sleep: {readonly sleep: number};
  wait: {readonly wait: string};
  hang: {readonly hang: true};
  obey: {readonly obey: true};
  once: {
    readonly once: readonly StepOrWord[];
    readonly later?: readonly StepOrWord[];
    readonly times?: number;
  };
  complete: {readonly complete: true};
  interrupt: {readonly interrupt: true};
  fail: {readonly fail: string; readonly info?: unknown; readonly details?: string};
  exit: {readonly exit: number};
  signal: {readonly signal: NodeJS.Signals};
}

export type StepName = keyof StepShapes;
export type Step = StepShapes[StepName];
/** `hang` is short for `{hang: true}`. */
export type StepOrWord = Step | 'hang' | 'obey' | 'complete' | 'interrupt';

type Kind = 'text' | 'number' | 'true' | 'fields' | 'tokens' | 'steps';

/** What stands behind each name, and which options may stand beside it. */
const GRAMMAR: {
  readonly [N in StepName]: readonly [Kind, ...(string & Exclude<keyof StepShapes[N], N>)[]];
} = {
  say: ['text', 'pace_ms', 'tokens'],
  think: ['text', 'pace_ms'],
  run: ['text', 'ask', 'background', 'tokens'],
  edit: ['text', 'text', 'ask', 'tokens'],
  tool: ['text', 'arguments', 'namespace', 'expect', 'tokens'],
  permissions: ['fields', 'reason', 'tokens'],
  question: ['text', 'options', 'id', 'tokens'],
  elicit: ['text', 'server', 'schema', 'meta', 'tokens'],
  request: ['text', 'params'],
  notify: ['text', 'params'],
  usage: ['tokens'],
  rate_limits: ['fields'],
  retrying: ['number', 'every_ms', 'message', 'info'],
  flood: ['number', 'per_second', 'size', 'of'],
  raw: ['text', 'newline'],
  huge: ['number'],
  stderr: ['text'],
  ignore: ['text'],
  leave: ['text', 'holding'],
  sleep: ['number'],
  wait: ['text'],
  hang: ['true'],
  obey: ['true'],
  once: ['steps', 'later', 'times'],
  complete: ['true'],
  interrupt: ['true'],
  fail: ['text', 'info', 'details'],
  exit: ['number'],
  signal: ['text'],
};

const FITS: {readonly [K in Kind]: (value: unknown) => boolean} = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  true: (value) => value === true,
  fields: isFields,
  tokens: (value) => typeof value === 'number' || isFields(value),
  steps: Array.isArray,
};

/** An unknown step or word, for the author of the script. */
export class ScriptError extends Error {}

export function parseSteps(value: unknown): readonly Step[] {
  if (!Array.isArray(value)) throw new ScriptError('steps must be a list');
  return value.map(parseStep);
}

/** A slip in a script must not pass for a quiet agent, so names, options and kinds are all checked. */
export function parseStep(value: unknown): Step {
  const step = typeof value === 'string' ? {[value]: true} : value;
  if (!isFields(step)) throw new ScriptError(`not a step: ${JSON.stringify(value)}`);
  const [name = '', ...options] = Object.keys(step);
  if (!isStepName(name)) {
    throw new ScriptError(`unknown step "${name}"; known: ${Object.keys(GRAMMAR).join(', ')}`);
  }
  const [kind, ...known]: readonly [Kind, ...string[]] = GRAMMAR[name];
  if (!FITS[kind](step[name])) throw new ScriptError(`step "${name}" takes ${kind}`);
  const odd = options.find((option) => !known.includes(option));
  if (odd !== undefined) throw new ScriptError(`step "${name}" has no option "${odd}"`);
  if (name === 'once') for (const list of [step.once, step.later ?? []]) parseSteps(list);
  return step as unknown as Step;
}

/** A checked step with its name, in a form in which the compiler sees that the two belong together. */
export type NamedStep<N extends StepName = StepName> = {
  [K in N]: {readonly name: K; readonly step: StepShapes[K]};
}[N];

export function named(step: Step): NamedStep {
  return {name: Object.keys(step)[0], step} as NamedStep;
}

function isStepName(name: string): name is StepName {
  return Object.hasOwn(GRAMMAR, name);
}
