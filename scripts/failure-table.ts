import {FAILURES, type FailurePolicy} from '@symphony-supervisor/protocol';
import {keepSection, table} from './generated-section.ts';

// Keeps the failures in the docs in step with the code. What to do about each is written by hand, and kept.

const failures = Object.entries(FAILURES);

keepSection('docs/runner.md', 'failures', () =>
  table(
    ['failure', 'policy', 'meaning'],
    failures.map(([code, [policy, meaning]]) => [`\`${code}\``, policy, meaning]),
  ),
);

const FOLLOWS: Readonly<Record<FailurePolicy, string>> = {
  retry: 'It is retried after a backoff.',
  hold: 'The issue is held for a person.',
  host: 'The project waits until a check passes.',
  'fresh-thread': 'It is retried in a new conversation.',
  wait: 'It waits; this is no attempt.',
  deliver: 'The delivery alone is tried again after a backoff, without an agent.',
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
