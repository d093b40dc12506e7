import {InvalidArgumentError, Option} from 'commander';
import type {ExitCode} from './exit.ts';

/** Awaits a command and passes on its result. */
export type Act = (code: Promise<ExitCode>) => Promise<void>;

export function debugOption(): Option {
  return new Option('--debug', 'print the stack trace of an error');
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const range = most === MAX_NUMBER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`Give a whole number ${range}.`);
  };
}

/** The longest delay of a Node timer, used as the limit of all numbers. */
export const MAX_NUMBER = 2_147_483_647;
export const MAX_PORT = 65_535;

export function stateDirOption(): Option {
  return new Option(
    '--state-dir <dir>',
    'folder of the store (default: .symphony beside the first workflow)',
  );
}

export function logsRootOption(): Option {
  return new Option('--logs-root <dir>', 'folder of the logs (default: <state dir>/logs)');
}

export function jsonOption(): Option {
  return new Option('--json', 'print JSON, for scripts');
}
