export type ComplaintCode =
  | 'missing_workflow_file'
  | 'workflow_parse_error'
  | 'workflow_front_matter_not_a_map'
  | 'invalid_setting'
  | 'missing_setting'
  | 'missing_variable'
  | 'missing_secret'
  | 'unsupported_tracker_kind'
  | 'duplicate_project_name'
  | 'duplicate_workspace_root'
  /** Warnings only, from here on. */
  | 'unknown_key'
  | 'ignored_entry'
  | 'overlapping_states'
  | 'outdated_setting'
  | 'tool_by_prompt'
  | 'unread_variable'
  | 'unknown_value'
  | 'unused_role'
  | 'first_file_decides'
  | 'yaml_warning';

/** What is wrong with a workflow file, and where. Plain data. */
export interface Complaint {
  readonly code: ComplaintCode;
  /** For people: the key, its value, and what would be right. One line, and never a secret. */
  readonly message: string;
  /** The file, as its reader named it. */
  readonly path: string;
  /** Counted from 1, in the file and not in its front matter. */
  readonly line: number;
  readonly column: number;
  /** The setting it is about, if it is about one: `agent.max_turns`. */
  readonly key?: string;
}

/** One line, in the form that editors and terminals turn into a link. */
export function formatComplaint(complaint: Omit<Complaint, 'code'>): string {
  const {path, line, column, message} = complaint;
  return `${path}:${line}:${column}: ${message}`;
}
