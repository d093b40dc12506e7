import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Test files with a command of their own, because they are slow or need a further install. */
export interface Suite {
  readonly name: string;
  /** Its test files are the ones directly in this folder. */
  readonly folder: string;
  readonly command: string;
  readonly about: string;
}

export const SUITES: readonly Suite[] = [
  suite('real', 'test/real-codex', 'the real Codex; installs 436 MB once'),
  {
    name: 'real-claude',
    folder: 'test/real-claude',
    command: 'npm run test:real',
    about: 'the real Claude Code; installs 355 MB once',
  },
  {
    name: 'real-opencode',
    folder: 'test/real-opencode',
    command: 'npm run test:real',
    about: 'the real opencode; installs 177 MB once',
  },
  suite('replay', 'test/replay', 'recordings of the real agents'),
  suite('crash', 'test/crash', 'the supervisor killed at every write to its store'),
  suite('kills', 'test/kills', 'runners, agents and the tracker thread killed at random'),
  suite('chaos', 'test/chaos', 'full disk, stopped runners, a failing tracker'),
  suite('fuzz', 'test/fuzz', 'every parser at a boundary with random input'),
  suite('packages', 'test/packages', 'what npm pack makes; uses the npm registry'),
  suite('pm2', 'test/pm2', 'the real pm2; installs 25 MB once'),
  suite('browser', 'test/browser', 'the dashboard in Chromium'),
  {
    name: 'conformance',
    folder: 'test/conformance/cases',
    command: 'npm run conformance',
    about: 'each rule of the product, judged from outside',
  },
];

function suite(name: string, folder: string, about: string): Suite {
  return {name, folder, command: `npm run test:${name}`, about};
}

/** All test files, as paths from the root. Files with processes come first: they take longest. */
export function allTestFiles(): string[] {
  return ['test', 'packages', 'scripts'].flatMap(testFilesBelow);
}

/** The suite of a test file; null for `npm test`. */
export function suiteOf(file: string): Suite | null {
  return SUITES.find(({folder}) => dirname(file) === folder) ?? null;
}

export function filesOf(name: string | null): string[] {
  return allTestFiles().filter((file) => (suiteOf(file)?.name ?? null) === name);
}

/** The npm scripts that `.ci/run` comes to, directly or by another script. */
export function scriptsOfCi(): Set<string> {
  const {scripts} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const reached = new Set<string>();
  const follow = (text: string): void => {
    for (const [, run, test] of text.matchAll(/\bnpm (?:run ([\w:]+)|(test))\b/g)) {
      const name = run ?? test ?? '';
      if (reached.has(name)) continue;
      reached.add(name);
      follow(scripts[name] ?? '');
    }
  };
  follow(readFileSync(join(ROOT, '.ci/run'), 'utf8').replace(/^\s*#.*$/gm, ''));
  return reached;
}

function testFilesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), {withFileTypes: true})
    .filter(({name}) => name !== 'node_modules' && name !== 'dist')
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return testFilesBelow(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    });
}
