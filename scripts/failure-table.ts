import {FAILURES, type FailurePolicy} from '@symphony-supervisor/protocol';
import {keepSection, table} from './generated-section.ts';

// Updates the failure tables in the docs from the code. The remedies are written by hand and preserved.

const failures = Object.entries(FAILURES);

keepSection('docs/runner.md', 'failures', () =>
  table(
    ['failure', 'policy', 'meaning'],
    failures.map(([code, [policy, meaning]]) => [`\`${code}\``, policy, meaning]),
  ),
);

const FOLLOWS: Readonly<Record<FailurePolicy, string>> = {
  retry: 'The run is retried after a backoff.',
  hold: 'The issue is held until an operator acts.',
  host: 'The project waits until an agent check passes.',
  'fresh-thread': 'The run is retried in a new conversation.',
  wait: 'The issue waits; this does not count as an attempt.',
  deliver: 'The delivery alone is retried after a backoff, without an agent.',
};

keepSection('docs/troubleshooting.md', 'failures', (before) => {
  const sections = before.split(/^### /m).slice(1);
  const remedies = new Map(
    sections.map((section) => {
      const [title = '', , , ...remedy] = section.split('\n');
      return [title.replaceAll('`', ''), remedy.join('\n').trim()];
    }),
  );
  const written = failures.map(([code, [policy, meaning]]) => {
    const remedy = remedies.get(code) ?? '';
    if (remedy === '') {
      console.error(`docs/troubleshooting.md does not say what to do about ${code}`);
      process.exitCode = 1;
    }
    return `### \`${code}\`\n\n*${meaning[0]?.toUpperCase()}${meaning.slice(1)}.* ${FOLLOWS[policy]}\n${remedy}\n`;
  });
  return written.join('\n');
});
