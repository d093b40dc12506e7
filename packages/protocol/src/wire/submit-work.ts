import * as z from 'zod/mini';
import type {ToolSpec} from './tool.ts';

const MAX_SUMMARY = 8_000;

/** What an agent says of the work that it has done. */
export const Submission = z.object({
  summary: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_SUMMARY)),
  nothing_to_do: z.optional(z.boolean()),
});
export type Submission = z.infer<typeof Submission>;

/** Offered where a clean run is handed off. The runner answers it: nothing is written to the tracker. */
export const SUBMIT_WORK: ToolSpec = {
  name: 'submit_work',
  description:
    'Say that the work on this issue is done. Call it once, when nothing is left to do, and end your turn.',
  input_schema: {
    type: 'object',
    properties: {
      summary: {
        type: 'string',
        maxLength: MAX_SUMMARY,
        description: 'What was done, for the person who looks at it next.',
      },
      nothing_to_do: {
        type: 'boolean',
        description: 'True if the issue needed no change.',
      },
    },
    required: ['summary'],
    additionalProperties: false,
  },
};
