import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {aFolder} from '../rig/fixtures/folder.ts';
import type {Installed} from './installed.ts';

/** What the shipped agent does with an issue that has no orders of its own. */
const WORK = '```agent\n- say: done\n- tool: update_issue\n  arguments: {state: Done}\n```';
/** As the same, and leaves a file that is nowhere else. */
const LEAVE = WORK.replace('- say: done', '- run: echo work > left.txt');
const HANG = '```agent\n- hang\n```';

/** A project with the shipped scripted agent in Codex's place. */
export async function aProject(
  it: Installed,
  issues: Readonly<Record<string, 'work' | 'leave' | 'hang'>>,
) {
  const folder = await aFolder();
  const agent = join(it.path, 'dist/demo-agent.js');
  const settings = {
    name: 'p',
    tracker: {kind: 'file'},
    workspace: {root: './workspaces'},
    polling: {interval_ms: 500},
    codex: {
      command: `'${process.execPath}' '${agent}' --from-prompt app-server`,
      read_timeout_ms: 30_000,
    },
    acp: {command: `'${process.execPath}' '${agent}' --from-prompt --protocol acp`},
  };
  const workflow = `---\n${JSON.stringify(settings)}\n---\n{{issue.title}}\n\n{{{issue.description}}}\n`;
  await writeFile(join(folder.path, 'WORKFLOW.md'), workflow);
  await mkdir(join(folder.path, 'issues'));
  for (const [name, does] of Object.entries(issues)) {
    const body = {work: WORK, leave: LEAVE, hang: HANG}[does];
    const text = `---\nstate: Todo\n---\n# Title of ${name}\n\n${body}\n`;
    await writeFile(join(folder.path, 'issues', `${name}.md`), text);
  }
  await mkdir(join(folder.path, 'tmp'));
  const env = {
    ...{HOME: folder.path, TMPDIR: join(folder.path, 'tmp'), NO_UPDATE_NOTIFIER: '1'},
    ...{GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.test'},
    ...{GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.test'},
  };
  return {path: folder.path, env, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()};
}
