import type {Workflow} from '../settings.ts';
import type {Complaint, ComplaintCode} from './text/complaint.ts';

/** What must differ between the projects of one supervisor. The later file gets the complaint. */
export function checkProjects(workflows: readonly Workflow[]): readonly Complaint[] {
  return [
    ...findTwins(workflows, {
      code: 'duplicate_project_name',
      key: 'name',
      pick: ({settings}) => settings.name,
      remedy: 'give each project a different "name"',
    }),
    ...findTwins(workflows, {
      code: 'duplicate_workspace_root',
      key: 'workspace.root',
      pick: ({settings}) => settings.workspace.root,
      remedy: 'give each project a different "workspace.root"',
    }),
  ];
}

interface Rule {
  readonly code: ComplaintCode;
  readonly key: string;
  readonly remedy: string;
  pick(workflow: Workflow): string;
}

function findTwins(workflows: readonly Workflow[], rule: Rule): readonly Complaint[] {
  const {code, key, pick, remedy} = rule;
  return workflows.flatMap((workflow, index) => {
    const value = pick(workflow);
    const twin = workflows.slice(0, index).find((other) => pick(other) === value);
    if (!twin) return [];
    const message = `${key} is "${value}", as in ${twin.path}; ${remedy}`;
    return {code, message, path: workflow.path, line: 1, column: 1, key};
  });
}
