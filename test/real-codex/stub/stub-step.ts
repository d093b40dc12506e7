/** What the model says its request has cost. Codex adds these up per thread. */
export interface StepUsage {
  readonly input: number;
  /** Part of `input`. */
  readonly cached: number;
  readonly output: number;
  /** Part of `output`. */
  readonly reasoning: number;
}

/** The cost of every answer that does not name its own, so that a test can multiply. */
export const USAGE: StepUsage = {input: 1000, cached: 400, output: 50, reasoning: 20};

/** One answer of the model to one request. A turn is a list of them; all but the last call a tool. */
export type Step =
  | {
      readonly is: 'say';
      readonly text: string;
      /** A summary of thoughts that goes before the message. */
      readonly reasoning: string | null;
      /** Pause after each word: long enough to interrupt within a message. */
      readonly gapMs: number;
      readonly usage: StepUsage;
    }
  | {
      readonly is: 'shell';
      readonly command: string;
      /** Why it wants to run outside the sandbox; null when it does not. */
      readonly escalation: string | null;
      readonly usage: StepUsage;
    }
  | {readonly is: 'patch'; readonly patch: string; readonly usage: StepUsage}
  | {
      readonly is: 'tool';
      readonly name: string;
      readonly namespace: string | null;
      readonly input: unknown;
      readonly usage: StepUsage;
    }
  | {
      readonly is: 'http-error';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      /** Further fields of the error object, such as `resets_at`. */
      readonly details: Readonly<Record<string, unknown>>;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {readonly is: 'failed'; readonly code: string; readonly message: string}
  | {readonly is: 'cut'}
  | {readonly is: 'hang'};

interface Cost {
  readonly usage?: StepUsage;
}

/** An assistant message; ends the turn. */
export function say(
  text: string,
  options: Cost & {readonly reasoning?: string; readonly gapMs?: number} = {},
): Step {
  const {reasoning = null, gapMs = 0, usage = USAGE} = options;
  return {is: 'say', text, reasoning, gapMs, usage};
}

export function shell(command: string, options: Cost & {readonly escalation?: string} = {}): Step {
  const {escalation = null, usage = USAGE} = options;
  return {is: 'shell', command, escalation, usage};
}

/** `apply_patch` with a whole patch, envelope included. */
export function patch(text: string, {usage = USAGE}: Cost = {}): Step {
  return {is: 'patch', patch: text, usage};
}

/** The patch most tests need. */
export function addFile(path: string, content: string, options: Cost = {}): Step {
  const lines = content.split('\n').map((line) => `+${line}`);
  return patch(
    ['*** Begin Patch', `*** Add File: ${path}`, ...lines, '*** End Patch', ''].join('\n'),
    options,
  );
}

/** Any tool by name, declared or not. */
export function tool(
  name: string,
  input: unknown = {},
  options: Cost & {readonly namespace?: string} = {},
): Step {
  const {namespace = null, usage = USAGE} = options;
  return {is: 'tool', name, namespace, input, usage};
}

/** An error instead of a stream. Codex tries some of them again; see `outlastsRetries`. */
export function httpError(
  status: number,
  type: string,
  options: {
    readonly message?: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Step {
  const {message = `stub: scripted ${status}`, details = {}, headers = {}} = options;
  return {is: 'http-error', status, type, message, details, headers};
}

/** A stream that begins well and ends in `response.failed`. */
export function failed(code: string, message: string): Step {
  return {is: 'failed', code, message};
}

/** A stream that breaks off within a message. */
export function cut(): Step {
  return {is: 'cut'};
}

/** A stream that never says anything. */
export function hang(): Step {
  return {is: 'hang'};
}

/**
 * Codex repeats a request that went wrong, so a failure that is the last step of its turn is played
 * for every further request of that turn. A failure that is followed by another step is played once.
 */
export function outlastsRetries(step: Step): boolean {
  return (
    step.is === 'http-error' || step.is === 'failed' || step.is === 'cut' || step.is === 'hang'
  );
}
