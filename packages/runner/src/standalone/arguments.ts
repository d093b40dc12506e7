import {parseArgs} from 'node:util';
import type {AgentKind} from '@symphony-supervisor/protocol';
import {AGENT_PROFILES} from '@symphony-supervisor/protocol/workflow';

export const HELP = `Usage: symphony-runner <identifier> [options]

One attempt at one issue, in the foreground and without a supervisor.

Options:
  --workflow PATH     the workflow file (default: ./WORKFLOW.md)
  --issue-file PATH   read the issue from a JSON file instead of the tracker
  --role NAME         run as this role (default: the one whose rule fits the issue)
  --agent KIND        another kind of agent than agent.kind, as its section sets it up
  --max-turns N       maximum number of turns (default: agent.max_turns)
  --print-prompt      print the prompt of the first turn, and do nothing else
  --json              one JSON object per line instead of text
  --help              print this text
  --version           print the version

Exit codes: 0 success, 1 failed or held, 2 usage or unknown issue, 3 workflow invalid,
4 tracker refused.

The issue is read and given to the agent; its state in the tracker is changed by the agent's own
tools only. A workspace in use by a supervisor is refused.
`;

export interface Arguments {
  readonly identifier: string | null;
  readonly workflow: string;
  readonly issueFile: string | null;
  /** null: by the rules of the workflow. */
  readonly role: string | null;
  /** null: that of the workflow file. */
  readonly agent: AgentKind | null;
  readonly maxTurns: number | null;
  readonly printPrompt: boolean;
  readonly json: boolean;
}

export class UsageError extends Error {}

/** The parsed arguments; a string for the two options that only print something. */
export function parseArguments(argv: readonly string[]): Arguments | 'help' | 'version' {
  const {values, positionals} = parse(argv);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [identifier = null, ...more] = positionals;
  if (more.length > 0)
    throw new UsageError(`give one issue; unexpected argument "${more.join(' ')}"`);
  const issueFile = values['issue-file'] ?? null;
  if (identifier === null && issueFile === null) throw new UsageError('which issue?');
  return {
    identifier,
    issueFile,
    workflow: values.workflow,
    role: values.role ?? null,
    agent: values.agent === undefined ? null : kindOf(values.agent),
    maxTurns: values['max-turns'] === undefined ? null : count(values['max-turns']),
    printPrompt: values['print-prompt'],
    json: values.json,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        workflow: {type: 'string', default: 'WORKFLOW.md'},
        'issue-file': {type: 'string'},
        role: {type: 'string'},
        agent: {type: 'string'},
        'max-turns': {type: 'string'},
        'print-prompt': {type: 'boolean', default: false},
        json: {type: 'boolean', default: false},
        help: {type: 'boolean', short: 'h', default: false},
        version: {type: 'boolean', default: false},
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function kindOf(named: string): AgentKind {
  const kinds = Object.keys(AGENT_PROFILES) as AgentKind[];
  const kind = kinds.find((known) => known === named);
  if (kind !== undefined) return kind;
  throw new UsageError(`--agent: there is no "${named}"; give ${kinds.join(' or ')}`);
}

function count(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1) return value;
  throw new UsageError(`--max-turns is ${text}; give a whole number of at least 1`);
}
