import {CASE_IDS, CASES} from '../packages/runner/test/agent/contract/cases/all.ts';
import {DECLARED} from '../packages/runner/test/agent/contract/declared/all.ts';
import {keepSection, table} from './generated-section.ts';

// Keeps the page about the contract of agents in step with the suite. The suite plays what is not excepted here, and a test
// checks the exceptions, so the page holds what the tests hold.

const players = Object.entries(DECLARED).flatMap(([kind, declared]) =>
  Object.values(declared).map((one) => ({...one, kind})),
);

keepSection('docs/agents/contract.md', 'contract', () => {
  const notes: string[] = [];
  const noteOf = (text: string): string => {
    if (!notes.includes(text)) notes.push(text);
    return `(${notes.indexOf(text) + 1})`;
  };
  const rows = CASE_IDS.map((id) => [
    `\`${id}\``,
    CASES[id].rule,
    ...players.map(({cannot, otherCodes}) => {
      const reason = cannot[id];
      if (reason !== undefined) return `not played ${noteOf(reason)}`;
      const other = otherCodes[id];
      if (other === undefined) return 'holds';
      return `holds, by \`${other.code}\` ${noteOf(other.because)}`;
    }),
  ]);
  const heads = players.map(({kind, player}) => `\`${kind}\`, ${player}`);
  const list = notes.map((text, at) => `${at + 1}. ${text}`).join('\n');
  return `${table(['case', 'rule', ...heads], rows)}\n${list}\n`;
});
