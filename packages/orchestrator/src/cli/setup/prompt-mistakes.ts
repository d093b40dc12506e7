import {readFile} from 'node:fs/promises';
import type {Workflow} from '@symphony-supervisor/protocol';
import {checkTemplate} from '@symphony-supervisor/protocol/prompt';
import type {Complaint} from '@symphony-supervisor/protocol/workflow';

/**
 * Like a complaint about a setting, but with the codes with which such a prompt would hold an
 * issue.
 */
export type PromptMistake = Omit<Complaint, 'code'> & {
  readonly code: 'template_parse_error' | 'template_render_error';
};

/** Errors that would hold every issue. A warning, because the rest of the file is usable. */
export async function promptMistakes(workflow: Workflow): Promise<PromptMistake[]> {
  const failure = await checkTemplate(workflow.prompt);
  if (failure === null) return [];
  const {code, message} = failure;
  if (code !== 'template_parse_error' && code !== 'template_render_error') return [];
  const found = /^prompt(?: line (\d+), column (\d+))?: (.*)$/s.exec(message);
  const [, line = '1', column = '1', what = message] = found ?? [];
  const above = await linesAbovePrompt(workflow);
  return [
    {code, path: workflow.path, line: above + Number(line), column: Number(column), message: what},
  ];
}

/** The prompt is the end of its file, without outer blanks. */
async function linesAbovePrompt({path, prompt}: Workflow): Promise<number> {
  const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n').trimEnd();
  return text.slice(0, text.length - prompt.template.length).split('\n').length - 1;
}
