/** The exit codes; scripts may rely on them. */
export const EXIT = {
  fine: 0,
  unexpected: 1,
  usage: 2,
  workflowInvalid: 3,
  trackerRefused: 4,
  alreadyRunning: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with one message for people: what, where, and what to do. */
export class ExitWith extends Error {
  override readonly name = 'ExitWith';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options: {cause?: unknown} = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
