import {readFileSync} from 'node:fs';
import {keepSection} from './generated-section.ts';

// Keeps the claim on the page about the store in step with the code: its comments say what each field is for.

const SOURCE = 'packages/orchestrator/src/core/claim.ts';
const PARTS = ['interface Common', 'interface Run', 'type Next', 'type Claim'];

const source = readFileSync(new URL(`../${SOURCE}`, import.meta.url), 'utf8');

keepSection('docs/contributing/data-model.md', 'claim', () => {
  // Declarations are told apart by blank lines; the comment above one belongs to it.
  const declarations = source.split('\n\n').map((text) => text.trim());
  const quoted = PARTS.map((name) => {
    const found = declarations.find((text) => new RegExp(`^export ${name}\\b`, 'm').test(text));
    if (found === undefined) throw new Error(`${SOURCE} has no ${name}`);
    return found;
  });
  return `\`\`\`ts\n// ${SOURCE}\n${quoted.join('\n// …\n')}\n\`\`\`\n`;
});
