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
  /** Where the file says nothing. Without a command the file must name one. */
  readonly defaults: {readonly command: string | null; readonly read_timeout_ms?: number};
  /** The command that its own section implies. */
  commandOf?(given: GivenSections): string | null;
  /** false: how many tokens it uses is not known, so they cannot be limited. */
  readonly isMeasured?: boolean;
  /** Its own section in a first workflow file: valid YAML in comments. */
  readonly example: string;
  /** Checks the kind's own section, and makes of it what the runner is told. */
  resolve(given: GivenSections, access: AgentAccess, findings: Findings): AgentOptions;
}
