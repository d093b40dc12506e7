import {Argument, type Command} from 'commander';
import {
  type Act,
  jsonOption,
  logsRootOption,
  MAX_NUMBER,
  stateDirOption,
  wholeNumber,
} from '../options.ts';

export interface ClientOptions {
  readonly stateDir?: string;
  readonly json?: boolean;
}

export interface ProjectOptions extends ClientOptions {
  readonly project?: string;
}

export interface HistoryOptions extends ProjectOptions {
  readonly limit: number;
}

export interface LogsOptions extends ClientOptions {
  readonly follow?: boolean;
  readonly lines: number;
  readonly logsRoot?: string;
}

export interface OpenOptions extends ClientOptions {
  readonly url?: string;
}

export interface RetryOptions extends ProjectOptions {
  readonly message?: string;
}

export interface CleanOptions extends ProjectOptions {
  readonly yes?: boolean;
}

/** Commands for a running supervisor. */
export function addClientCommands(program: Command, act: Act): void {
  const client = (name: string, summary: string): Command =>
    program
      .command(name)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .addOption(stateDirOption())
      .addOption(jsonOption());

  client('status', 'show what a running supervisor is doing').action(
    async (options: ClientOptions) => act((await import('./status.ts')).status(options)),
  );
  client('logs', 'print the log of a supervisor, or the lines about one issue')
    .argument('[issue]', 'only lines about this issue')
    .option('-f, --follow', 'follow the log')
    .option('-n, --lines <n>', 'number of last lines', wholeNumber(0, MAX_NUMBER), 100)
    .addOption(logsRootOption())
    .action(async (issue: string | undefined, options: LogsOptions) =>
      act((await import('./logs.ts')).logs(issue ?? null, options)),
    );
  client('history', 'list the runs of all issues, or of one')
    .argument('[issue]')
    .option('-n, --limit <n>', 'how many', wholeNumber(1, 1000), 30)
    .option('--project <name>', 'if several projects have such an issue')
    .action(async (issue: string | undefined, options: HistoryOptions) =>
      act((await import('./history.ts')).history(issue ?? null, options)),
    );
  client('actions', 'list operator orders with their source, or those for one issue')
    .argument('[issue]')
    .option('-n, --limit <n>', 'how many', wholeNumber(1, 500), 30)
    .option('--project <name>', 'if several projects have such an issue')
    .action(async (issue: string | undefined, options: HistoryOptions) =>
      act((await import('./actions.ts')).actions(issue ?? null, options)),
    );
  addOrders(client, act);
  addAccess(client, act);
  client('backup', 'write a consistent copy of the store, even while it is in use')
    .argument(
      '[file]',
      'the copy (default: ./symphony-<time>.db); an existing file is not overwritten',
    )
    .action(async (file: string | undefined, options: ClientOptions) =>
      act((await import('./backup.ts')).backup(file ?? null, options)),
    );
}

function addAccess(client: (name: string, summary: string) => Command, act: Act): void {
  client('open', 'print a link that signs a browser in to the dashboard, once')
    .option('--url <url>', 'the address of the dashboard behind a proxy or a tunnel')
    .action(async (options: OpenOptions) => act((await import('./open.ts')).open(options)));
  client('token', 'replace the tokens and end all browser sessions')
    .addArgument(new Argument('<action>', 'what to do').choices(['rotate']))
    .action(async (_action: string, options: ClientOptions) =>
      act((await import('./token.ts')).rotateTokens(options)),
    );
}

function addOrders(client: (name: string, summary: string) => Command, act: Act): void {
  const orders = () => import('./orders.ts');
  const ofIssue = (name: string, summary: string): Command =>
    client(name, summary)
      .argument('<issue>', 'its identifier')
      .option('--project <name>', 'if several projects have such an issue');

  ofIssue('stop', 'end the run of an issue and hold it').action(
    async (issue: string, options: ProjectOptions) =>
      act((await orders()).orderIssue('stop', issue, options)),
  );
  ofIssue('retry', 'make a held, dismissed or retrying issue due now')
    .option('-m, --message <text>', "for the agent's next turn, such as the answer to its question")
    .action(async (issue: string, options: RetryOptions) =>
      act((await orders()).orderIssue('retry', issue, options)),
    );
  ofIssue('restart', 'start an issue over: end any run, drop conversation and counters').action(
    async (issue: string, options: ProjectOptions) =>
      act((await orders()).orderIssue('restart', issue, options)),
  );
  ofIssue('dismiss', 'end any run of an issue and ignore it until it changes').action(
    async (issue: string, options: ProjectOptions) =>
      act((await orders()).orderIssue('dismiss', issue, options)),
  );
  ofIssue('release', 'the old name of restart').action(
    async (issue: string, options: ProjectOptions) => {
      // The answer in JSON names the command itself.
      if (!options.json) console.error('release is now called restart');
      return act((await orders()).orderIssue('restart', issue, options));
    },
  );
  ofIssue('clean', 'remove the kept workspace of an issue, with the work in it')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (issue: string, options: CleanOptions) =>
      act((await import('./clean.ts')).clean(issue, options)),
    );
  for (const [name, summary] of [
    ['pause', 'start no new runs; current runs continue'],
    ['resume', 'start new runs again'],
    ['refresh', 'poll the tracker now'],
  ] as const) {
    client(name, summary)
      .option('--project <name>', 'only this project')
      .action(async (options: ProjectOptions) => act((await orders()).direct(name, options)));
  }
}
