// Writes the JSON Schema of the front matter, which editors use, from the schema that reads it.
// With --check it writes nothing, and fails if the file is not up to date.
import {readFile, writeFile} from 'node:fs/promises';
import {workflowJsonSchema} from '@symphony-supervisor/protocol/workflow';

const file = new URL('../packages/protocol/workflow.schema.json', import.meta.url);
const current = `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  const written = await readFile(file, 'utf8').catch(() => null);
  if (written !== current) {
    console.error(
      'packages/protocol/workflow.schema.json is stale: run scripts/workflow-schema.ts',
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(file, current);
}
