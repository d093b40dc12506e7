import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import type {Fields} from '../../json.ts';
import type {Performers} from '../../script/stage.ts';
import {Shell} from '../../shell.ts';
import type {ClaudeTurn} from '../claude-turn.ts';
import type {ClaudeStage} from '../repertoire.ts';
import {isAllowed} from './permission.ts';

/** What the agent really does in its workspace, asked for or not. */
export const work: Performers<'run' | 'edit', ClaudeStage> = {
  async run({run: command, ask, background, tokens}, {turn}) {
    const input = {
      command,
      description: 'scripted',
      ...(background ? {run_in_background: true} : {}),
    };
    const id = turn.callTool('Bash', input, tokens);
    if (ask && !(await isAllowed(turn, 'Bash', id, input, ask))) return {decision: 'deny'};
    const shell = start(turn, command);
    if (background) {
      turn.toolResult(id, `Command running in background with ID: ${id}.`);
      return {decision: null};
    }
    const {exitCode, output} = await turn.until(shell.ended);
    const isError = exitCode !== 0;
    const result = {stdout: output, stderr: '', interrupted: false};
    const text = isError ? `Exit code ${exitCode}\n${output}` : output;
    turn.toolResult(id, text, {tool_use_result: isError ? `Error: ${text}` : result}, isError);
    return {decision: null, exitCode, output};
  },

  async edit({edit: path, text, ask, tokens}, {turn}) {
    const input = {file_path: resolve(turn.cwd, path), content: text};
    const id = turn.callTool('Write', input, tokens);
    if (ask && !(await isAllowed(turn, 'Write', id, input, ask))) return {decision: 'deny'};
    const before = existsSync(input.file_path) ? readFileSync(input.file_path, 'utf8') : null;
    mkdirSync(dirname(input.file_path), {recursive: true});
    writeFileSync(input.file_path, text);
    turn.toolResult(id, 'written', {tool_use_result: changed(input, before)});
    return {decision: null};
  },
};

function start(turn: ClaudeTurn, command: string): Shell {
  const {shells} = turn.host;
  const shell = new Shell(command, turn.cwd, {...process.env, ...turn.marks}, () => {});
  shells.add(shell);
  void shell.ended.then(() => shells.delete(shell));
  return shell;
}

/** One hunk that replaces the whole file: correct, and enough for display. */
function changed(
  {file_path: filePath, content}: {file_path: string; content: string},
  before: string | null,
): Fields {
  if (before === null)
    return {type: 'create', filePath, content, structuredPatch: [], originalFile: null};
  const [removed, added] = [before, content].map((text) => text.replace(/\n$/, '').split('\n'));
  const lines = [
    ...(removed ?? []).map((line) => `-${line}`),
    ...(added ?? []).map((line) => `+${line}`),
  ];
  const hunk = {
    ...{oldStart: 1, oldLines: removed?.length ?? 0, newStart: 1, newLines: added?.length ?? 0},
    lines,
  };
  return {type: 'update', filePath, content, structuredPatch: [hunk], originalFile: before};
}
