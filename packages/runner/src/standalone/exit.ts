/** 1: failed or held; 2: usage or unknown issue; 3: workflow invalid; 4: tracker refused. */
export type ExitCode = 1 | 2 | 3 | 4;

/** Ends the command with one message for people. */
export class ExitWith extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'ExitWith';
    this.exitCode = exitCode;
  }
}
