import {
  type JsonObject,
  toClaimVersion2,
  toClaimVersion3,
  toClaimVersion4,
  toClaimVersion5,
  toClaimVersion6,
  toClaimVersion7,
  toClaimVersion8,
} from '../claims/claim-upgrades.ts';

/** One step to the next version of the store. */
export interface Migration {
  readonly schema: string;
  /** Upgrades the JSON of a claim; absent: its form does not change. */
  readonly claim?: (claim: JsonObject) => JsonObject;
}

/**
 * The migrations. A released step is never changed: the number of applied steps is the file's
 * `user_version`. `test/store/recorded` has a recorded store of every release. Every table has a
 * rowid, because a damaged file is read around its gaps by row id, and is STRICT, so that damaged
 * values do not pass for numbers.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    schema: `
  CREATE TABLE claims (
    key        TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    issue_id   TEXT NOT NULL,
    identifier TEXT NOT NULL,
    kind       TEXT NOT NULL,
    -- Outside the JSON too, so that a run can be found and ended when its claim cannot be read.
    run_id     TEXT,
    pid        INTEGER,
    claim      TEXT NOT NULL
  ) STRICT;

  CREATE TABLE books (
    key       TEXT PRIMARY KEY,
    runs      INTEGER NOT NULL,
    tokens    INTEGER NOT NULL,
    idle_runs INTEGER NOT NULL
  ) STRICT;

  -- Every workspace that a run recorded and nobody has removed; its issue may be released by now.
  CREATE TABLE workspaces (
    key   TEXT PRIMARY KEY,
    paths TEXT NOT NULL
  ) STRICT;

  -- What there is only one of, as JSON.
  CREATE TABLE facts (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;

  CREATE TABLE runs (
    run_id     TEXT PRIMARY KEY,
    key        TEXT NOT NULL,
    identifier TEXT NOT NULL,
    attempt    INTEGER,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    outcome    TEXT,
    failure    TEXT,
    turns      INTEGER NOT NULL DEFAULT 0,
    input_tokens            INTEGER NOT NULL DEFAULT 0,
    cached_input_tokens     INTEGER NOT NULL DEFAULT 0,
    output_tokens           INTEGER NOT NULL DEFAULT 0,
    reasoning_output_tokens INTEGER NOT NULL DEFAULT 0,
    total_tokens            INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX runs_by_key ON runs (key, started_at);
  CREATE INDEX runs_by_identifier ON runs (identifier);
  CREATE INDEX runs_by_start ON runs (started_at);
  CREATE INDEX runs_open ON runs (started_at) WHERE ended_at IS NULL;

  -- Sums over the runs that were pruned: what an issue cost in all its life stays known.
  CREATE TABLE pruned_runs (
    key        TEXT PRIMARY KEY,
    runs       INTEGER NOT NULL,
    ms_running INTEGER NOT NULL,
    input_tokens            INTEGER NOT NULL,
    cached_input_tokens     INTEGER NOT NULL,
    output_tokens           INTEGER NOT NULL,
    reasoning_output_tokens INTEGER NOT NULL,
    total_tokens            INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE actions (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    by      TEXT NOT NULL,
    command TEXT NOT NULL
  ) STRICT;
  CREATE INDEX actions_by_time ON actions (at);
  `,
  },
  {
    schema: `
  -- The text of rows that a version could not read, as it was.
  CREATE TABLE unreadable (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    key    TEXT NOT NULL,
    at     INTEGER NOT NULL,
    reason TEXT NOT NULL,
    text   TEXT NOT NULL
  ) STRICT;
  CREATE INDEX unreadable_by_key ON unreadable (source, key);
  `,
    claim: toClaimVersion2,
  },
  {
    schema: `
  -- Browsers that are signed in, by digests of what they hold.
  CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    cookie_digest TEXT NOT NULL,
    key_digest    TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL
  ) STRICT;
  `,
  },
  {
    schema: `
  -- Workspaces that outlived their issue for the work that they hold, as JSON.
  CREATE TABLE kept (
    key        TEXT PRIMARY KEY,
    workspaces TEXT NOT NULL
  ) STRICT;

  -- What came out of a run; and with the last one of an issue, how that stood when it was let go.
  ALTER TABLE runs ADD COLUMN title TEXT;
  ALTER TABLE runs ADD COLUMN url TEXT;
  ALTER TABLE runs ADD COLUMN state TEXT;
  ALTER TABLE runs ADD COLUMN status TEXT;
  ALTER TABLE runs ADD COLUMN workspace TEXT;
  ALTER TABLE runs ADD COLUMN model TEXT;
  -- As JSON.
  ALTER TABLE runs ADD COLUMN made TEXT;
  ALTER TABLE runs ADD COLUMN links TEXT;
  `,
    claim: toClaimVersion3,
  },
  {
    schema: `
  -- The agent of the run does not say what it uses: its tokens are unknown, not zero.
  ALTER TABLE runs ADD COLUMN unmeasured INTEGER NOT NULL DEFAULT 0;

  UPDATE runs SET failure = replace(failure, 'codex_', 'agent_')
    WHERE failure IN ('codex_not_found', 'codex_incompatible');
    `,
    claim: toClaimVersion4,
  },
  {
    schema: `
  -- The machine that ran the agent; so far there was the supervisor's own.
  ALTER TABLE runs ADD COLUMN host TEXT NOT NULL DEFAULT 'local';
  `,
    claim: toClaimVersion5,
  },
  {schema: '', claim: toClaimVersion6},
  {
    schema: `
  -- Who ran the issue. Before there were roles, it was the one that the file itself describes.
  ALTER TABLE runs ADD COLUMN role TEXT NOT NULL DEFAULT 'worker';
  `,
    claim: toClaimVersion7,
  },
  {
    schema: `
  -- The kind of agent of a run; so far there was one.
  ALTER TABLE runs ADD COLUMN agent TEXT;
  UPDATE runs SET agent = 'codex';

  -- A turn was cut off before the agent had said what it used: the tokens are the last figures seen.
  ALTER TABLE runs ADD COLUMN partial INTEGER NOT NULL DEFAULT 0;

  -- How many of the pruned runs were so.
  ALTER TABLE pruned_runs ADD COLUMN unmeasured INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE pruned_runs ADD COLUMN partial INTEGER NOT NULL DEFAULT 0;
  `,
    claim: toClaimVersion8,
  },
];

/** The most important first, in case only part of a damaged file is readable. */
export const TABLES = [
  'claims',
  'books',
  'workspaces',
  'kept',
  'facts',
  'runs',
  'pruned_runs',
  'actions',
  'unreadable',
  'sessions',
] as const;
export type TableName = (typeof TABLES)[number];
