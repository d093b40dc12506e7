import {existsSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {basename, join, relative, resolve} from 'node:path';
import {createInterface, type Interface} from 'node:readline/promises';
import {DEFAULT_KIND} from '@symphony-supervisor/protocol/workflow';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {question} from '../question.ts';
import {type Judged, judgeAgent, judgeProject, judgeRepository} from './init-answers.ts';
import type {InitOptions} from './setup-commands.ts';
import {SAMPLE_ISSUE, type Wishes, workflowText} from './workflow-text.ts';

const KINDS = ['file', 'linear', 'github'] as const;

/** Writes a first workflow file. Asks on a terminal; otherwise uses flags and defaults. */
export async function init(folder: string, options: InitOptions): Promise<ExitCode> {
  const root = resolve(folder);
  const path = join(root, 'WORKFLOW.md');
  if (existsSync(path) && !options.force) {
    const remedy = 'choose another folder, or overwrite it with --force';
    throw new ExitWith(EXIT.unexpected, `${path} already exists\n${remedy}`);
  }
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const name = basename(root).replace(/[^A-Za-z0-9._-]/g, '-') || 'project';
  const given = {...options, name};
  const wishes = isTerminal && options.tracker === undefined ? await ask(given) : filled(given);
  const written = await write(root, path, wishes);
  console.log(
    `wrote ${written.map((file) => relative(process.cwd(), file) || file).join(' and ')}`,
  );
  console.log(nextSteps(wishes));
  return EXIT.fine;
}

type Given = InitOptions & {readonly name: string};

function filled(given: Given): Wishes {
  const {tracker = 'file', project, repository, agentCommand, name} = given;
  for (const [option, value] of Object.entries({
    project,
    repository,
    'agent-command': agentCommand,
  })) {
    if (value !== undefined && /[\p{Cc}]/u.test(value)) {
      throw new ExitWith(EXIT.usage, `the value of --${option} must be one line of text`);
    }
  }
  const taken = <T extends string>(option: string, judged: Judged<T>): T => {
    if (judged.ok) return judged.value;
    throw new ExitWith(EXIT.usage, `--${option}: ${judged.why}`);
  };
  return {
    tracker,
    name,
    project:
      project === undefined || tracker === 'file'
        ? null
        : taken('project', judgeProject(tracker, project)),
    repository:
      repository === undefined ? null : taken('repository', judgeRepository(repository, tracker)),
    agent: taken('agent', judgeAgent(given.agent ?? DEFAULT_KIND)),
    agentCommand: agentCommand ?? null,
  };
}

/** Three questions at most; an empty answer takes what is in brackets. */
async function ask(given: Given): Promise<Wishes> {
  const terminal = createInterface({input: process.stdin, output: process.stdout});
  try {
    const kinds = `Where are your issues: ${KINDS.join(', ')}? [file] `;
    const kind = await answerTo(terminal, kinds, (text) =>
      KINDS.some((known) => known === text)
        ? {ok: true, value: text}
        : {ok: false, why: `there is no tracker "${text}"; give ${KINDS.join(' or ')}`},
    );
    const tracker = KINDS.find((known) => known === kind) ?? 'file';
    const project =
      tracker === 'file' || given.project !== undefined
        ? given.project
        : await answerTo(
            terminal,
            `Which project (${PROJECT[tracker]})? [fill in later] `,
            (text) => judgeProject(tracker, text),
          );
    const repository =
      given.repository ??
      (await answerTo(
        terminal,
        'Which repository should workspaces be cloned from? [none] ',
        (text) => judgeRepository(text, tracker),
      ));
    return filled({
      ...given,
      tracker,
      ...(project ? {project} : {}),
      ...(repository ? {repository} : {}),
    });
  } finally {
    terminal.close();
  }
}

/** Asks again until the answer is usable; an empty one always is. */
async function answerTo(
  terminal: Interface,
  text: string,
  judge: (text: string) => Judged,
): Promise<string> {
  for (;;) {
    const answer = await question(terminal, text);
    if (answer === null) throw new ExitWith(EXIT.unexpected, 'cancelled; nothing was written');
    const given = answer.trim();
    const judged = given === '' ? ({ok: true, value: ''} as const) : judge(given);
    if (judged.ok) return judged.value;
    console.log(`  ${judged.why}`);
  }
}

const PROJECT = {linear: 'its slug, the last part of its address', github: 'owner/repository'};

async function write(root: string, path: string, wishes: Wishes): Promise<string[]> {
  try {
    await mkdir(root, {recursive: true});
    await writeFile(path, workflowText(wishes));
    if (wishes.tracker !== 'file') return [path];
    const issue = join(root, 'issues', 'HELLO-1.md');
    await mkdir(join(root, 'issues'), {recursive: true});
    const isNew = await writeFile(issue, SAMPLE_ISSUE, {flag: 'wx'}).then(
      () => true,
      () => false, // written by the user: it stays
    );
    return isNew ? [path, issue] : [path];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExitWith(EXIT.unexpected, `${path} cannot be written: ${reason}`, {cause});
  }
}

function nextSteps({tracker}: Wishes): string {
  const key = {file: null, linear: 'LINEAR_API_KEY', github: 'GITHUB_TOKEN'}[tracker];
  const steps: [string, string][] = [
    ...(key === null ? [] : [[`export ${key}=…`, 'the key of your tracker'] as [string, string]]),
    ['symphony-supervisor doctor', 'check that this machine has everything a run needs'],
    ['symphony-supervisor --dry-run', 'show what would be dispatched'],
    ['symphony-supervisor --port 4000', 'run it, with the dashboard'],
  ];
  return ['next:', ...steps.map(([command, what]) => `  ${command.padEnd(32)}${what}`)].join('\n');
}
