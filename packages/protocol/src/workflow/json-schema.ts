import * as z from 'zod/mini';
import {frontMatterSchema} from './keys/schema.ts';
import {noteOf} from './keys/setting.ts';

/** For editors: what the front matter may say, with a description of each key. Draft 2020-12. */
export function workflowJsonSchema(): Readonly<Record<string, unknown>> {
  const {$schema, ...schema} = z.toJSONSchema(frontMatterSchema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({zodSchema, jsonSchema}) => {
      const note = noteOf(zodSchema);
      if (note) jsonSchema.description = note.description;
      if (note && note.fallback !== null)
        jsonSchema.default = note.fallback as z.core.util.JSONType;
      // Files for a newer version must stay valid.
      if (jsonSchema.properties) jsonSchema.additionalProperties = true;
      // Said here because `parseWorkflow` asks for it itself: it can tell which kinds there are.
      const {kind} = jsonSchema.properties ?? {};
      if (typeof kind === 'object' && kind.default === undefined) jsonSchema.required = ['kind'];
    },
  });
  return {
    $schema,
    $id: 'urn:symphony-supervisor:workflow',
    title: 'Symphony Supervisor: front matter of WORKFLOW.md',
    ...schema,
    required: ['tracker'],
  };
}
