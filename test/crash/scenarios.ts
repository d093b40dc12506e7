import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {hasOrder, readStore} from '../rig/fixtures/store-file.ts';
import {writeIssue} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';
import {journalOf} from '../rig/witnessed-agent.ts';

/** One course that an issue can take. The supervisor is killed in it once for every point. */
export interface Scenario {
  readonly name: string;
  readonly settings: Record<string, unknown>;
  readonly script: unknown;
  /** Which writes are this scenario's own: the way there is another's. */
  readonly covers: RegExp;
  /** Somebody else moves the issue in the moment of its reservation. */
  readonly moveTo?: string;
  /** What an operator says to the issue when it is held, by the order `retry`; the agent hears it once. */
  readonly answer?: string;
  /** How the claim is described when an operator dismisses the issue, by its beginning. */
  readonly dismissAt?: string;
  /** What a person does, when it is time; false until then. */
  readonly deed?: (folder: string, life: {kill(signal: 'SIGTERM'): void}) => Promise<boolean>;
  /** Where the issue is in the end. */
  readonly end: string;
  readonly keepsWorkspace?: true;
  /** As the agent sees them. */
  readonly attempts: readonly (number | null)[];
  /** How often its hook has run at least when the issue is where it should be: no fewer deliveries succeed. */
  readonly deliveries?: number;
  /** How many turns it completes, if nothing is repeated. */
  readonly turns: number;
}

const DONE = {tool: 'update_issue', arguments: {state: 'Done'}};
const RETRIES = {max_retry_backoff_ms: 100};
/** Notes that the hook has run. */
const COUNTED = 'echo delivered >> ../../deliveries;';
const file = (keys: object = {}) => ({kind: 'file', ...keys});

const hasTurn = async (folder: string) =>
  (await journalOf(folder, 'T-1')).some(({report}) => report === 'turn');
const ANSWER = 'Blue, like the sky.';
const claimOf = (folder: string) => readStore(folder).claims.get('p/T-1');
const isHeld = (folder: string) => claimOf(folder)?.is === 'held';

/** An order that a crash has swallowed is given again; when the issue has been read since, a person moves it. */
const dismissed =
  (isTime: (folder: string) => Promise<boolean>) =>
  async (folder: string): Promise<boolean> => {
    const claim = claimOf(folder);
    if (claim?.is === 'dismissed' && claim.isRead) {
      await writeIssue(folder, 'T-1', 'In Progress');
      return true;
    }
    if (!hasOrder(folder, 'dismiss') && (await isTime(folder)))
      await supervisorCommand(['dismiss', 'T-1'], {cwd: folder});
    return false;
  };

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'an issue is done, and its workspace removed',
    settings: {workspace: {root: './workspaces', keep_unpushed: false}},
    script: [[{run: 'echo hi > done'}, DONE]],
    covers: /./,
    end: 'Done',
    attempts: [null],
    turns: 1,
  },
  {
    name: 'an issue is done, and its workspace kept for the work in it',
    settings: {},
    script: [[{run: 'echo hi > done'}, DONE]],
    covers: /cleaning|released/,
    end: 'Done',
    keepsWorkspace: true,
    attempts: [null],
    turns: 1,
  },
  {
    name: 'marked in progress, and handed off',
    settings: {
      tracker: file({in_progress_state: 'In Progress', handoff_state: 'Human Review'}),
      agent: {max_turns: 1},
    },
    script: [[{run: 'echo hi > done'}]],
    covers: /marking|stopping/,
    end: 'Human Review',
    keepsWorkspace: true,
    attempts: [null],
    turns: 1,
  },
  {
    name: 'a clean run is continued',
    settings: {agent: {max_turns: 1}},
    script: [[{once: [{run: 'echo hi > done'}], later: [DONE]}]],
    covers: /stopping \w+ continue|retrying/,
    end: 'Done',
    keepsWorkspace: true,
    attempts: [null, 1],
    turns: 2,
  },
  {
    name: 'two failures in a row, and then it works',
    settings: {agent: RETRIES},
    script: [[{run: '[ "$SYMPHONY_ATTEMPT" = 2 ] || kill -9 $PPID'}, DONE]],
    covers: /stopping \w+ retry|retrying/,
    end: 'Done',
    attempts: [null, 1, 2],
    turns: 1,
  },
  {
    name: 'a delivery fails twice, and the issue is handed off after the third',
    settings: {
      tracker: file({handoff_state: 'Human Review'}),
      agent: {max_turns: 1, ...RETRIES},
      hooks: {deliver: `${COUNTED} [ "$(wc -l < ../../deliveries)" -gt 2 ]`},
    },
    script: [[{run: 'echo hi > done'}]],
    covers: /stopping|retrying/,
    end: 'Human Review',
    keepsWorkspace: true,
    deliveries: 3,
    attempts: [null],
    turns: 1,
  },
  {
    name: 'deliveries fail until the issue is held, and a person moves it when that is mended',
    settings: {
      tracker: file({handoff_state: 'Human Review'}),
      agent: {max_turns: 1, max_consecutive_failures: 2, ...RETRIES},
      hooks: {deliver: `${COUNTED} [ -e ../../mended ]`},
    },
    script: [[{run: 'echo hi > done'}]],
    covers: /held/,
    deed: async (folder) => {
      if (!isHeld(folder)) return false;
      await writeFile(join(folder, 'mended'), '');
      await writeIssue(folder, 'T-1', 'In Progress');
      return true;
    },
    end: 'Human Review',
    keepsWorkspace: true,
    deliveries: 3,
    attempts: [null],
    turns: 1,
  },
  {
    name: 'an agent closes its issue, and what cannot be delivered is kept',
    settings: {
      agent: {max_consecutive_failures: 2, ...RETRIES},
      hooks: {deliver: `${COUNTED} false`},
    },
    script: [[{run: 'echo hi > done'}, DONE]],
    covers: /deliver|retrying|confirming|cleaning/,
    end: 'Done',
    keepsWorkspace: true,
    deliveries: 2,
    attempts: [null],
    turns: 1,
  },
  {
    name: 'a runner dies, and its last hook is run for it',
    settings: {agent: RETRIES, hooks: {after_run: 'echo "$SYMPHONY_OUTCOME" >> ../../outcomes'}},
    script: [
      [{run: '[ "$SYMPHONY_ATTEMPT" = 1 ] || kill -9 $(cut -d" " -f4 /proc/$PPID/stat)'}, DONE],
    ],
    covers: /finishing/,
    end: 'Done',
    attempts: [null, 1],
    turns: 1,
  },
  {
    name: 'a question holds the issue until a person moves it',
    settings: {},
    script: [[{once: [{question: 'Which colour?'}, 'hang'], later: [DONE]}]],
    covers: /stopping \w+ hold|held/,
    deed: async (folder) => {
      if (!isHeld(folder)) return false;
      await writeIssue(folder, 'T-1', 'In Progress');
      return true;
    },
    end: 'Done',
    attempts: [null],
    turns: 1,
  },
  {
    name: 'an operator answers the question; the first start with the answer fails',
    settings: {
      agent: RETRIES,
      hooks: {before_run: 'echo >> ../../starts; [ "$(wc -l < ../../starts)" != 2 ]'},
    },
    script: [[{once: [{question: 'Which colour?'}, 'hang'], later: [DONE]}]],
    covers: /held|retrying|attempt 1/,
    answer: ANSWER,
    // The order that a crash has swallowed is given again by its operator, to the next life.
    deed: async (folder) => {
      if (hasOrder(folder, 'retry')) return true;
      if (!isHeld(folder)) return false;
      const {code} = await supervisorCommand(['retry', 'T-1', '-m', ANSWER], {cwd: folder});
      return code === 0;
    },
    end: 'Done',
    attempts: [null, 1],
    turns: 1,
  },
  {
    name: 'a person closes the issue while an agent works',
    settings: {hooks: {before_remove: 'echo removed >> ../../removed'}},
    script: [['hang']],
    covers: /stopping/,
    deed: async (folder) => {
      if (!(await hasTurn(folder))) return false;
      await writeIssue(folder, 'T-1', 'Done');
      return true;
    },
    end: 'Done',
    attempts: [null],
    turns: 0,
  },
  {
    name: 'a running issue is dismissed, until a person moves it',
    settings: {},
    script: [[{once: ['hang'], later: [DONE]}]],
    covers: /stopping \w+ dismiss|dismissed/,
    dismissAt: 'running live attempt  workspace agent thread 1 turn 1',
    deed: dismissed(hasTurn),
    end: 'Done',
    attempts: [null],
    turns: 1,
  },
  {
    name: 'an issue that waits for its retry is dismissed, until a person moves it',
    settings: {},
    script: [[{once: [{run: 'kill -9 $PPID'}], later: [DONE]}]],
    covers: /dismissed/,
    dismissAt: 'retrying',
    deed: dismissed(async (folder) => claimOf(folder)?.is === 'retrying'),
    end: 'Done',
    // An order that the kill has swallowed may come after the retry.
    attempts: [null, 1],
    turns: 1,
  },
  {
    name: 'a reservation that the read before the launch refuses',
    settings: {},
    script: [['hang']],
    moveTo: 'Backlog',
    covers: /running reading/,
    end: 'Backlog',
    attempts: [],
    turns: 0,
  },
  {
    name: 'shut down in the middle of a turn',
    settings: {hooks: {after_run: 'echo "$SYMPHONY_OUTCOME" >> ../../outcomes'}},
    script: [[{once: ['hang'], later: [DONE]}]],
    covers: /stopping \w+ resume|retrying resume/,
    deed: async (folder, life) => {
      if (!(await hasTurn(folder))) return false;
      life.kill('SIGTERM');
      return true;
    },
    end: 'Done',
    attempts: [null],
    turns: 1,
  },
];
