import {describeKeys, workflowJsonSchema} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import {keepSection, table} from './generated-section.ts';

// Keeps the reference of the workflow file in step with the schema that reads it.

const sections = workflowJsonSchema().properties as Readonly<Record<string, {description: string}>>;

keepSection('docs/workflow.md', 'keys', () =>
  Object.entries(sections)
    .map(([section, {description}]) => {
      const keys = describeKeys().filter(
        ({key}) => key === section || key.startsWith(`${section}.`),
      );
      const rows = keys.map((each) => [
        code(each.key),
        each.expects,
        defaultOf(each.default),
        each.description,
      ]);
      const about = keys[0]?.key === section ? '' : `${description}\n\n`;
      return `### ${code(section)}\n\n${about}${table(['key', 'value', 'default', 'meaning'], rows)}`;
    })
    .join('\n'),
);

keepSection('docs/workflow.md', 'trackers', () =>
  table(
    ['kind', 'keys of `tracker.provider`', 'secrets', 'active', 'terminal', 'blockers count in'],
    Object.values(PROFILES).map((profile) => [
      code(profile.kind),
      list(profile.knownKeys),
      profile.secrets
        .map(({key, env}) => (env === null ? code(key) : `${code(key)} or \`$${env}\``))
        .join(', '),
      list(profile.activeStates),
      list(profile.terminalStates),
      list(profile.unstartedStates),
    ]),
  ),
);

function list(words: readonly string[]): string {
  return words.map(code).join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Values look like values; defaults that are told in words stay words. */
function defaultOf(text: string): string {
  const isWord = ['off', 'required'].includes(text);
  if (!isWord && /^([\w.-]+|[[{].*[\]}]|codex app-server)$/.test(text)) return code(text);
  return text.replaceAll('<', '\\<');
}
