/** A step of the scripted agent; see its README. */
type Step = Readonly<Record<string, unknown>>;

export interface DemoIssue {
  readonly id: string;
  readonly title: string;
  readonly priority: number | null;
  readonly blockedBy?: string;
  readonly description: string;
  readonly steps: readonly Step[];
}

/** Slow enough to follow; a model would take longer. */
const PACE_MS = 60;

const think = (text: string): Step => ({think: text, pace_ms: PACE_MS});
const say = (text: string): Step => ({say: text, pace_ms: PACE_MS});

/** A real commit, which the hook after the run fetches, and then the word to the tracker. */
function deliver(id: string, message: string): Step[] {
  return [
    {
      run: `git add -A && (git diff --cached --quiet || git commit --quiet -m '${id}: ${message}')`,
    },
    {tool: 'update_issue', arguments: {state: 'Done', comment: `Done, on branch ${id}.`}},
    say('Done: committed, and the issue is moved.'),
  ];
}

/** An issue is Done a moment before the hook of its run has brought its commit home. */
const MERGE_DEMO_2 = [
  'for nth in 1 2 3 4 5 6 7 8 9 10; do',
  'git fetch --quiet origin && git merge --quiet --no-edit origin/DEMO-2 && [ -f greet.js ] && break;',
  'sleep 0.5; done',
].join(' ');

/** Together they show priorities, a blocker, a failure with its retry, and a question. */
export const DEMO_ISSUES: readonly DemoIssue[] = [
  {
    id: 'DEMO-1',
    title: 'Say how to install it',
    priority: 1,
    description: 'Add a section "Install" to README.md: npm install greeter.',
    steps: [
      think('The README has no section on installing it.'),
      {
        edit: 'README.md',
        text: '# greeter\n\nSays hello.\n\n## Install\n\n    npm install greeter\n',
      },
      ...deliver('DEMO-1', 'say how to install it'),
    ],
  },
  {
    id: 'DEMO-2',
    title: 'Greet people by name',
    priority: 2,
    description: 'Write greet.js with a function greet(name) that returns "Hello, <name>!".',
    steps: [
      think('One small function, exported.'),
      {edit: 'greet.js', text: "export const greet = (name) => 'Hello, ' + name + '!';\n"},
      {run: 'node --check greet.js'},
      ...deliver('DEMO-2', 'greet people by name'),
    ],
  },
  {
    id: 'DEMO-3',
    title: 'Test the greeting',
    priority: 2,
    blockedBy: 'DEMO-2',
    description:
      'Write greet.test.js with node:test. It needs what DEMO-2 adds: merge its branch first.',
    steps: [
      {run: MERGE_DEMO_2},
      {
        edit: 'greet.test.js',
        text: [
          "import assert from 'node:assert/strict';",
          "import {test} from 'node:test';",
          "import {greet} from './greet.js';\n",
          "test('greets', () => assert.equal(greet('you'), 'Hello, you!'));\n",
        ].join('\n'),
      },
      {run: 'node --test greet.test.js'},
      ...deliver('DEMO-3', 'test the greeting'),
    ],
  },
  {
    id: 'DEMO-4',
    title: 'Add a licence',
    priority: 3,
    description: 'Add a file LICENSE with one line: MIT. (The first attempt at this one fails.)',
    steps: [
      think('A short text.'),
      {once: [{fail: 'the model hung up in the middle of a sentence'}]},
      {edit: 'LICENSE', text: 'MIT\n'},
      ...deliver('DEMO-4', 'add a licence'),
    ],
  },
  {
    id: 'DEMO-5',
    title: 'Paint the logo',
    priority: 4,
    description:
      'Add logo.txt with the name of the colour that the team has chosen. Ask which one that is.',
    steps: [
      {
        once: [
          {
            question: 'Which colour has the team chosen: blue or green?',
            options: ['blue', 'green'],
          },
          {hang: true},
        ],
      },
      {edit: 'logo.txt', text: 'blue\n'},
      ...deliver('DEMO-5', 'paint the logo'),
    ],
  },
  {
    id: 'DEMO-6',
    title: 'Begin a changelog',
    priority: null,
    description: 'Add CHANGELOG.md with a heading "Unreleased".',
    steps: [
      think('This one is not urgent, so it comes last.'),
      {edit: 'CHANGELOG.md', text: '# Changelog\n\n## Unreleased\n'},
      ...deliver('DEMO-6', 'begin a changelog'),
    ],
  },
];

/** The demo's own answer without a terminal. */
export const ANSWER = 'Blue, please.';

export function issueText({title, priority, blockedBy, description}: DemoIssue): string {
  const fields = [
    'state: Todo',
    ...(priority === null ? [] : [`priority: ${priority}`]),
    ...(blockedBy === undefined ? [] : [`blocked_by: [${blockedBy}]`]),
  ];
  return `---\n${fields.join('\n')}\n---\n# ${title}\n\n${description}\n`;
}
