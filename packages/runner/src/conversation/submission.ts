import {Submission, type ToolResult} from '@symphony-supervisor/protocol';
import type {Transcript} from '../transcript/transcript.ts';

/** What the agent submits in a run. A second submission replaces the first while the turn lasts. */
export class SubmissionKeeper {
  readonly #transcript: Transcript;
  #submission: Submission | null = null;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  get isSubmitted(): boolean {
    return this.#submission !== null;
  }

  /** The call `submit_work`. */
  take(args: unknown): ToolResult {
    const read = Submission.safeParse(args);
    if (!read.success) {
      const error = `not submitted: ${read.error.issues.map(problemOf).join('; ')}`;
      return {success: false, content: {error}, wrote: false};
    }
    this.#submission = read.data;
    this.#transcript.event('work_submitted', read.data);
    return {success: true, content: 'Submitted. End your turn now.', wrote: false};
  }
}

function problemOf({path, message}: {path: PropertyKey[]; message: string}): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}
