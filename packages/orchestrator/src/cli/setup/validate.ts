import {type Complaint, formatComplaint} from '@symphony-supervisor/protocol/workflow';
import {EXIT, type ExitCode} from '../exit.ts';
import {readWorkflows} from '../read-workflows.ts';
import {printJson} from '../table.ts';
import {type PromptMistake, promptMistakes} from './prompt-mistakes.ts';
import type {ValidateOptions} from './setup-commands.ts';

export async function validate(
  given: readonly string[],
  options: ValidateOptions,
): Promise<ExitCode> {
  const {paths, workflows, errors, warnings: ofSettings} = await readWorkflows(given);
  const ofPrompts = await Promise.all(workflows.map(promptMistakes));
  const warnings = [...ofSettings, ...ofPrompts.flat()];
  const isValid = errors.length === 0;
  if (options.json) printJson({valid: isValid, errors, warnings});
  else {
    for (const complaint of inPlace(errors)) console.error(`error: ${formatComplaint(complaint)}`);
    for (const complaint of inPlace(warnings)) {
      console.error(`warning: ${formatComplaint(complaint)}`);
    }
    const count = (list: readonly unknown[], noun: string) =>
      `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
    const sum = `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
    console.log(`${paths.join(', ')}: ${isValid ? 'valid' : 'invalid'} (${sum})`);
  }
  return isValid ? EXIT.fine : EXIT.workflowInvalid;
}

type Found = Complaint | PromptMistake;

function inPlace(complaints: readonly Found[]): Found[] {
  return complaints.toSorted((a, b) =>
    a.path === b.path ? a.line - b.line || a.column - b.column : 0,
  );
}
