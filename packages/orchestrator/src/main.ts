import {CommanderError} from 'commander';
import {EXIT, ExitWith} from './cli/exit.ts';
import {createProgram} from './cli/program.ts';

// `symphony-supervisor`: parses the command line and turns the result of a command into an exit
// code and at most one message.

/** Time to flush the last output. */
const LINGER_MS = 2000;
const NAME = 'symphony-supervisor';

// The reader of our output may close the pipe early: `… | head`.
process.stdout.on('error', () => {});
process.exitCode = await main(process.argv.slice(2));
// Neither a connected parent nor anything else left open keeps the process alive for long.
process.channel?.unref();
setTimeout(() => process.exit(), LINGER_MS).unref();

async function main(argv: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    console.error(`${NAME}: Windows is not supported; use Linux or macOS, or WSL 2 on Windows`);
    return EXIT.unexpected;
  }
  let code: number = EXIT.fine;
  const program = createProgram((result) => {
    code = result;
  });
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .configureOutput({outputError: () => {}})
      .showSuggestionAfterError();
  }
  try {
    await program.parseAsync(argv, {from: 'user'});
    return code;
  } catch (error) {
    return told(error, argv);
  }
}

function told(error: unknown, argv: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.fine; // help, or the version
    const what = error.message.replace(/^error: /, '');
    console.error(
      `${NAME}: ${what}\n\nUsage: ${NAME} [command] [options]; ${NAME} --help lists them`,
    );
    return EXIT.usage;
  }
  const wantsStack = argv.includes('--debug') || process.env.SYMPHONY_DEBUG === '1';
  if (error instanceof ExitWith) {
    console.error(`${NAME}: ${error.message}`);
    if (wantsStack && error.cause !== undefined) console.error(error.cause);
    return error.exitCode;
  }
  if (wantsStack) console.error(error);
  else {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${NAME}: unexpected: ${reason}\n\nWith --debug it says where that came from.`);
  }
  return EXIT.unexpected;
}
