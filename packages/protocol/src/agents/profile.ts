import type {Findings} from '../workflow/text/findings.ts';
import type {AgentAccess, AgentOptions} from './agent-job.ts';
import type {GivenSections} from './sections.ts';

/**
 * What the rest of the system knows about a kind of agent without starting it. Each kind's folder
 * provides one; the workflow file is checked against it.
 */
export interface AgentProfile {
  /** For people. */
  readonly name: string;
  /** Where the file says nothing. */
  readonly defaults: {readonly command: string; readonly read_timeout_ms?: number};
  /** Its own section in a first workflow file: valid YAML in comments. */
  readonly example: string;
  /** Checks the kind's own section, and makes of it what the runner is told. */
  resolve(given: GivenSections, access: AgentAccess, findings: Findings): AgentOptions;
}
