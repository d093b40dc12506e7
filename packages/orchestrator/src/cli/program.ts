import {Command} from 'commander';
import {VERSION} from '../version.ts';
import {addClientCommands} from './client/client-commands.ts';
import {addressOf} from './documentation.ts';
import type {ExitCode} from './exit.ts';
import {type Act, debugOption} from './options.ts';
import {addRunCommand} from './run/run-command.ts';
import {addSetupCommands} from './setup/setup-commands.ts';

// Contains names, options and help only. The code of a command is loaded when it is used, so that
// `--help` is quick.

const EXIT_CODES = `
Exit codes: 0 fine, 1 unexpected, 2 usage, 3 workflow invalid, 4 tracker refused us, 5 already running.
Help on a command: symphony-supervisor <command> --help
Documentation: ${addressOf('start')}`;

/** The command line. `onExit` gets the result of the command. */
export function createProgram(onExit: (code: ExitCode) => void): Command {
  const act: Act = async (code) => onExit(await code);
  const program = new Command('symphony-supervisor')
    .description('Turns an issue tracker into a queue of work for coding agents.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this text')
    .helpCommand(false)
    .enablePositionalOptions()
    .addHelpText('after', EXIT_CODES);
  addRunCommand(program, act);
  addSetupCommands(program, act);
  addClientCommands(program, act);
  for (const command of program.commands) command.addOption(debugOption());
  return program;
}
