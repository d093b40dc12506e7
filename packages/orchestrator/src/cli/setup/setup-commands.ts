import {type Command, Option} from 'commander';
import {type Act, jsonOption, MAX_PORT, stateDirOption, wholeNumber} from '../options.ts';
import {logLevelOption} from '../run/run-command.ts';

export interface InitOptions {
  readonly tracker?: 'file' | 'linear' | 'github';
  readonly force?: boolean;
  readonly project?: string;
  readonly repository?: string;
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
    .description('Writes a commented WORKFLOW.md. Asks only on a terminal, and only what it needs.')
    .argument('[folder]', 'where to write it', '.')
    .addOption(
      new Option('--tracker <kind>', 'where the issues are').choices(['file', 'linear', 'github']),
    )
    .option('--project <name>', 'linear: the slug of the project; github: owner/repository')
    .option('--repository <url>', 'what a workspace is cloned from')
    .option('--agent-command <command>', 'how the agent is started')
    .option('--force', 'overwrite a WORKFLOW.md that is there')
    .action(async (folder: string, options: InitOptions) => {
      const {init} = await import('./init.ts');
      return act(init(folder, options));
    });
  program
    .command('validate')
    .summary('find all mistakes in workflow files')
    .description('Finds all mistakes of workflow files in one go, with their places. Exit 0 or 3.')
    .argument('[workflow...]', 'workflow files (default: WORKFLOW.md)')
    .addOption(jsonOption())
    .action(async (paths: string[], options: ValidateOptions) => {
      const {validate} = await import('./validate.ts');
      return act(validate(paths, options));
    });
  program
    .command('doctor')
    .summary('check this machine: agent, tracker, folders, port')
    .description('Checks what a run needs and says how to mend what is missing. Exit 0 or 1.')
    .argument('[workflow...]', 'workflow files (default: WORKFLOW.md)')
    .addOption(stateDirOption())
    .option('--port <n>', 'the port that you want to use', wholeNumber(0, MAX_PORT))
    .option('--host <ip>', 'where it would listen')
    .addOption(jsonOption())
    .action(async (paths: string[], options: DoctorOptions) => {
      const {doctor} = await import('../doctor/doctor.ts');
      return act(doctor(paths, options));
    });
  program
    .command('demo')
    .summary('watch six issues travel from Todo to Done')
    .description(
      'Makes a temporary repository with six issues and works on them with a scripted agent.\n' +
        'Ends by itself with a summary; on a terminal it stays up for the dashboard.',
    )
    .option('--agent <kind>', 'use a real agent instead; it must be installed and logged in')
    .option('--port <n>', 'where the dashboard is', wholeNumber(0, MAX_PORT), 0)
    .option('--keep', 'leave the folder of the demo behind')
    .option('--exit', 'end by itself on a terminal, too')
    .addOption(logLevelOption())
    .action(async (options: DemoOptions) => {
      const {demo} = await import('../demo/demo.ts');
      return act(demo(options));
    });
}
