/** How the model, or the way to it, lets an agent down. The status is what the model's API answers. */
export type ModelFailure =
  | 'bad-request-400'
  | 'unauthorized-401'
  | 'forbidden-403'
  | 'rate-limited-429'
  | 'server-error-500'
  | 'overloaded-529'
  | 'connection-refused'
  | 'stream-cut'
  | 'context-too-long'
  | 'refusal';

/**
 * What an agent does in a turn, whatever its kind. A turn without an end of its own is completed; nothing but what is
 * said costs tokens.
 */
export type Deed =
  | {readonly is: 'say'; readonly text: string; readonly tokens: number}
  /** A command in a shell, in the workspace. `asks`: only a person can allow it. */
  | {readonly is: 'run'; readonly command: string; readonly asks: boolean}
  | {readonly is: 'call'; readonly tool: string; readonly args: object}
  | {readonly is: 'ask'; readonly question: string}
  | {readonly is: 'fail'; readonly by: ModelFailure; readonly reason: string}
  /** Silence, until it is interrupted. */
  | {readonly is: 'hang'}
  /** So many small messages, as fast as they can be written. */
  | {readonly is: 'flood'; readonly messages: number}
  /** Lines that are no messages. */
  | {readonly is: 'garbage'}
  /** One line of so many bytes. */
  | {readonly is: 'huge'; readonly bytes: number};

export type TurnDeeds = readonly Deed[];

export function say(text: string, tokens = 0): Deed {
  return {is: 'say', text, tokens};
}

export function run(command: string): Deed {
  return {is: 'run', command, asks: false};
}

/** A command that the agent may not run without being allowed to. */
export function asksToRun(command: string): Deed {
  return {is: 'run', command, asks: true};
}

export function call(tool: string, args: object = {}): Deed {
  return {is: 'call', tool, args};
}

export function ask(question: string): Deed {
  return {is: 'ask', question};
}

export function fail(by: ModelFailure, reason = 'the model is away'): Deed {
  return {is: 'fail', by, reason};
}

export const hang: Deed = {is: 'hang'};

/** For players: must the agent be told to ask? */
export function hasPermissionRequest(turns: readonly TurnDeeds[]): boolean {
  return turns.flat().some((deed) => deed.is === 'run' && deed.asks);
}

/** For players: bytes and lines that are no message of any protocol. */
export const GARBAGE: readonly string[] = [
  ...['this is no JSON', '{"half":', '[1, 2, 3]', 'null', '""', '{}', '\u0000\ufffd\u001b[31m'],
];
