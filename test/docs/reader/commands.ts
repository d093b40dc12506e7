import {createProgram} from '../../../packages/orchestrator/src/cli/program.ts';
import {HELP as RUNNER_HELP} from '../../../packages/runner/src/standalone/arguments.ts';

export interface KnownOption {
  readonly long: string;
  readonly short: string | null;
  readonly takesValue: boolean;
}

export interface KnownCommand {
  /** Empty for a program without commands. */
  readonly name: string;
  readonly options: readonly KnownOption[];
  readonly maxOperands: number;
}

const VERSION: KnownOption = {long: '--version', short: '-V', takesValue: false};
const HELP: KnownOption = {long: '--help', short: '-h', takesValue: false};

/** The first one is what runs if none is named. */
export const SUPERVISOR: readonly KnownCommand[] = createProgram(() => {}).commands.map(
  (command, index) => ({
    name: command.name(),
    options: [HELP, ...(index === 0 ? [VERSION] : []), ...optionsOf(command)],
    maxOperands: command.registeredArguments.some(({variadic}) => variadic)
      ? Number.POSITIVE_INFINITY
      : command.registeredArguments.length,
  }),
);

function optionsOf({options}: ReturnType<typeof createProgram>): KnownOption[] {
  return options.map(({long, short, required, optional}) => ({
    long: long ?? '',
    short: short ?? null,
    takesValue: required || optional,
  }));
}

/** As its help has them; the short ones are not told there. */
export const RUNNER: KnownCommand = {
  name: '',
  options: [...RUNNER_HELP.matchAll(/^ {2}(--[a-z-]+)( [A-Z]+)? {2}/gm)].map(
    ([, long = '', value]) => ({long, short: null, takesValue: value !== undefined}),
  ),
  maxOperands: 1,
};

/** What is wrong with the words after the program's name; null if nothing is. */
export function mistakeIn(program: string, words: readonly string[]): string | null {
  if (program === 'symphony-runner') return mistakeOf(RUNNER, words);
  const named = SUPERVISOR.find(({name}) => name === words[0]);
  const command = named ?? SUPERVISOR[0];
  if (command === undefined) return 'there are no commands';
  const mistake = mistakeOf(command, named === undefined ? words : words.slice(1));
  return mistake && `${program} ${command.name}: ${mistake}`;
}

function mistakeOf({options, maxOperands}: KnownCommand, words: readonly string[]): string | null {
  const operands: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const [name = '', value] = (words[index] ?? '').split('=', 2);
    if (!name.startsWith('-')) {
      operands.push(name);
      continue;
    }
    const known = options.find(({long, short}) => long === name || short === name);
    if (known === undefined) return `there is no option ${name}`;
    if (known.takesValue && value === undefined && words[++index] === undefined) {
      return `${name} needs a value`;
    }
  }
  if (operands.length > maxOperands) return `what is "${operands.slice(maxOperands).join(' ')}"?`;
  // Where files are expected, a bare word is a command that does not exist.
  const stray = operands.find((word) => maxOperands > 1 && /^[a-z-]+$/.test(word));
  return stray === undefined ? null : `there is no command "${stray}"`;
}
