import {type Command, Option} from 'commander';
import {type Act, jsonOption, MAX_PORT, stateDirOption, wholeNumber} from '../options.ts';
import {logLevelOption} from '../run/run-command.ts';

export interface InitOptions {
  readonly tracker?: 'file' | 'linear' | 'github';
  readonly force?: boolean;
  readonly project?: string;
  readonly repository?: string;
  readonly agent?: string;
  readonly agentCommand?: string;
}

export interface ValidateOptions {
  readonly json?: boolean;
}

export interface DoctorOptions {
  readonly stateDir?: string;
  readonly port?: number;
  readonly host?: string;
  readonly json?: boolean;
}

export interface DemoOptions {
  readonly agent?: string;
  readonly port: number;
  readonly keep?: boolean;
  readonly exit?: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/** Commands that need no supervisor: write a workflow, check it, check the machine. */
export function addSetupCommands(program: Command, act: Act): void {
  program
    .command('init')
    .summary('write a commented WORKFLOW.md')
    .description('Writes a commented WORKFLOW.md. Asks questions on a terminal only.')
    .argument('[folder]', 'the folder to write it to', '.')
    .addOption(
      new Option('--tracker <kind>', 'the tracker of the issues').choices([
        'file',
        'linear',
        'github',
      ]),
    )
    .option('--project <name>', 'linear: the slug of the project; github: owner/repository')
    .option('--repository <url>', 'the repository that workspaces are cloned from')
    .option('--agent <kind>', 'the agent that works on the issues')
    .option('--agent-command <command>', 'the command that starts the agent')
    .option('--force', 'overwrite an existing WORKFLOW.md')
    .action(async (folder: string, options: InitOptions) => {
      const {init} = await import('./init.ts');
      return act(init(folder, options));
    });
  program
    .command('validate')
    .summary('find all mistakes in workflow files')
    .description(
      'Reports all mistakes in workflow files at once, with line and column. Exit 0 or 3.',
    )
    .argument('[workflow...]', 'workflow files (default: WORKFLOW.md)')
    .addOption(jsonOption())
    .action(async (paths: string[], options: ValidateOptions) => {
      const {validate} = await import('./validate.ts');
      return act(validate(paths, options));
    });
  program
    .command('doctor')
    .summary('check this machine: agent, tracker, folders, port')
    .description('Checks everything a run needs, with a remedy for each problem. Exit 0 or 1.')
    .argument('[workflow...]', 'workflow files (default: WORKFLOW.md)')
    .addOption(stateDirOption())
    .option('--port <n>', 'the port of the API and the dashboard', wholeNumber(0, MAX_PORT))
    .option('--host <ip>', 'the address to listen on')
    .addOption(jsonOption())
    .action(async (paths: string[], options: DoctorOptions) => {
      const {doctor} = await import('../doctor/doctor.ts');
      return act(doctor(paths, options));
    });
  program
    .command('demo')
    .summary('watch six issues move from Todo to Done')
    .description(
      'Creates a temporary repository with six issues and works on them with a scripted agent.\n' +
        'Ends with a summary; on a terminal it keeps running for the dashboard.',
    )
    .option('--agent <kind>', 'use a real agent instead; it must be installed and logged in')
    .option('--port <n>', 'port of the dashboard', wholeNumber(0, MAX_PORT), 0)
    .option('--keep', 'keep the folder of the demo')
    .option('--exit', 'also exit on a terminal')
    .addOption(logLevelOption())
    .action(async (options: DemoOptions) => {
      const {demo} = await import('../demo/demo.ts');
      return act(demo(options));
    });
}
