import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {Prompt, Workflow} from '@symphony-supervisor/protocol';
import {checkTemplate} from '@symphony-supervisor/protocol/prompt';
import type {Complaint} from '@symphony-supervisor/protocol/workflow';

/**
 * Like a complaint about a setting, but with the codes with which such a prompt would hold an
 * issue.
 */
export type PromptMistake = Omit<Complaint, 'code'> & {
  readonly code: 'template_parse_error' | 'template_render_error';
};

/** Errors that would hold every issue of a role. A warning, because the rest of the file is usable. */
export async function promptMistakes(workflow: Workflow): Promise<PromptMistake[]> {
  const ofRoles = (workflow.roles ?? []).map(({prompt}) => prompt);
  const files = new Map(ofRoles.flatMap((prompt) => (prompt.file ? [[prompt.file, prompt]] : [])));
  const found = await Promise.all([workflow.prompt, ...files.values()].map(mistakeIn));
  const above = await linesAbovePrompt(workflow);
  const folder = dirname(workflow.path);
  return found.flatMap((mistake) => {
    if (mistake === null) return [];
    const {file, ...rest} = mistake;
    return file === undefined
      ? {...rest, path: workflow.path, line: above + rest.line}
      : {...rest, path: resolve(folder, file)};
  });
}

async function mistakeIn({file, ...prompt}: Prompt) {
  const failure = await checkTemplate(prompt);
  if (failure === null) return null;
  const {code, message} = failure;
  if (code !== 'template_parse_error' && code !== 'template_render_error') return null;
  const found = /^prompt(?: line (\d+), column (\d+))?: (.*)$/s.exec(message);
  const [, line = '1', column = '1', what = message] = found ?? [];
  return {code, file, line: Number(line), column: Number(column), message: what};
}

/** The prompt is the end of its file, without outer blanks. */
async function linesAbovePrompt({path, prompt}: Workflow): Promise<number> {
  const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n').trimEnd();
  return text.slice(0, text.length - prompt.template.length).split('\n').length - 1;
}
