import {type Command, Option} from 'commander';
import {
  type Act,
  jsonOption,
  logsRootOption,
  MAX_NUMBER,
  MAX_PORT,
  stateDirOption,
  wholeNumber,
} from '../options.ts';

/** As commander delivers them. */
export interface RunOptions {
  readonly port?: number;
  readonly host?: string;
  readonly stateDir?: string;
  readonly logsRoot?: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly maxAgents?: number;
  readonly shutdownTimeout: number;
  readonly once?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly tui: boolean;
}

export function addRunCommand(program: Command, act: Act): void {
  program
    .command('run', {isDefault: true})
    .summary('run the supervisor in the foreground (the default command)')
    .description(
      'Runs the supervisor in the foreground until SIGTERM or SIGINT; a second signal ends it immediately.\n' +
        'Several workflow files are several projects.',
    )
    .argument('[workflow...]', 'workflow files (default: WORKFLOW.md)')
    .option('--port <n>', 'port of the API and the dashboard; 0 is any free port', port)
    .option('--host <ip>', 'where --port listens (default: 127.0.0.1)')
    .addOption(stateDirOption())
    .addOption(logsRootOption())
    .addOption(logLevelOption())
    .option('--max-agents <n>', 'maximum number of agents over all projects', count)
    .option('--shutdown-timeout <ms>', 'time limit of a shutdown', count, 30_000)
    .option('--once', 'run one tick, wait for its runs, exit')
    .option(
      '--dry-run',
      'print what a tick would dispatch, and why not the other issues; change nothing',
    )
    .addOption(jsonOption())
    .option('--no-tui', 'on a terminal, print log lines instead of the terminal view')
    .action(async (paths: string[], options: RunOptions) => {
      if (options.dryRun) {
        const {dryRun} = await import('../dry-run/dry-run.ts');
        return act(dryRun(paths, options));
      }
      const {supervise} = await import('./supervise.ts');
      return act(supervise(paths, options));
    });
}

export function logLevelOption(): Option {
  return new Option('--log-level <level>', 'minimum level of log lines')
    .choices(['debug', 'info', 'warn', 'error'])
    .default('info');
}

const port = wholeNumber(0, MAX_PORT);
const count = wholeNumber(1, MAX_NUMBER);
