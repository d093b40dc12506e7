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
CREATE TABLE workspaces (
    key   TEXT PRIMARY KEY,
    paths TEXT NOT NULL
  ) STRICT;
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
  , title TEXT, url TEXT, state TEXT, status TEXT, workspace TEXT, model TEXT, made TEXT, links TEXT, unmeasured INTEGER NOT NULL DEFAULT 0, host TEXT NOT NULL DEFAULT 'local', role TEXT NOT NULL DEFAULT 'worker') STRICT;
CREATE INDEX runs_by_key ON runs (key, started_at);
CREATE INDEX runs_by_identifier ON runs (identifier);
CREATE INDEX runs_by_start ON runs (started_at);
CREATE INDEX runs_open ON runs (started_at) WHERE ended_at IS NULL;
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
CREATE TABLE unreadable (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    key    TEXT NOT NULL,
    at     INTEGER NOT NULL,
    reason TEXT NOT NULL,
    text   TEXT NOT NULL
  ) STRICT;
CREATE INDEX unreadable_by_key ON unreadable (source, key);
CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    cookie_digest TEXT NOT NULL,
    key_digest    TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL
  ) STRICT;
CREATE TABLE kept (
    key        TEXT PRIMARY KEY,
    workspaces TEXT NOT NULL
  ) STRICT;
INSERT INTO claims VALUES ('p/T-asked', 'p', 'T-asked', 'T-asked', 'held', null, null, '{"version":7,"is":"held","project":"p","scope":0,"issue":{"id":"T-asked","identifier":"T-asked","title":"T-asked","description":"# T-asked","priority":null,"state":"Todo","branch_name":null,"url":"file://{folder}/p/issues/T-asked.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-asked.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:14.543Z"},"readAt":2674.211443,"failures":0,"threadFailures":0,"thread":{"agent":"codex","id":"01a1ef60-6a8c-77c2-98cc-fb2a73e42cf0","workspace_path":"{folder}/p/workspaces/T-asked","usage":{"input_tokens":2000,"cached_input_tokens":800,"output_tokens":100,"reasoning_output_tokens":40,"total_tokens":2100},"prompt_digest":"ce4e77f4ebfd9d6d27bf81c35752a8470c723c68a178103c4596e09fa16b6510","turns":1},"workspace":{"host":"local","path":"{folder}/p/workspaces/T-asked"},"messages":[],"undelivered":null,"because":{"code":"turn_input_required","message":"Which colour?"},"question":"Which colour?","since":1795017436006,"stateThen":"Todo"}');
INSERT INTO claims VALUES ('p/T-cleaning', 'p', 'T-cleaning', 'T-cleaning', 'stopping', null, null, '{"version":7,"is":"stopping","project":"p","scope":0,"issue":{"id":"T-cleaning","identifier":"T-cleaning","title":"T-cleaning","description":"# T-cleaning","priority":null,"state":"Done","branch_name":null,"url":"file://{folder}/p/issues/T-cleaning.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-cleaning.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:16.791Z"},"readAt":2674.211443,"failures":0,"threadFailures":0,"thread":{"agent":"codex","id":"01a1ef60-6ae0-77d4-a5bc-7a5820e679f0","workspace_path":"{folder}/p/workspaces/T-cleaning","usage":{"input_tokens":2000,"cached_input_tokens":800,"output_tokens":100,"reasoning_output_tokens":40,"total_tokens":2100},"prompt_digest":"fee671ab932533c60cf0d79d936ba03d677eab9b2cd0c5057e473b71b8ba4de6","turns":1},"workspace":{"host":"local","path":"{folder}/p/workspaces/T-cleaning"},"messages":[],"undelivered":null,"run":null,"outcome":null,"reason":null,"next":{"do":"clean"},"step":"cleaning"}');
INSERT INTO claims VALUES ('p/T-failed', 'p', 'T-failed', 'T-failed', 'retrying', null, null, '{"version":7,"is":"retrying","project":"p","scope":0,"issue":{"id":"T-failed","identifier":"T-failed","title":"T-failed","description":"# T-failed","priority":null,"state":"Todo","branch_name":null,"url":"file://{folder}/p/issues/T-failed.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-failed.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:14.543Z"},"readAt":2674.211443,"failures":1,"threadFailures":1,"thread":{"agent":"codex","id":"01a1ef60-6ad3-74ae-a130-7fda4e2b7a00","workspace_path":"{folder}/p/workspaces/T-failed","usage":{"input_tokens":1000,"cached_input_tokens":400,"output_tokens":50,"reasoning_output_tokens":20,"total_tokens":1050},"prompt_digest":"ed4c2c83239f6d2c66f9ae7a415dc233adb7b270f0891e59d76a601b73e38fe1","turns":1},"workspace":{"host":"local","path":"{folder}/p/workspaces/T-failed"},"messages":[],"undelivered":null,"waitsFor":null,"counts":true,"kind":"failure","attempt":1,"dueAt":1795017446196,"lastError":"port_exit: the agent process ended with exit code 1"}');
INSERT INTO claims VALUES ('p/T-finishing', 'p', 'T-finishing', 'T-finishing', 'stopping', 'cb523e2ef2be-5', 13758, '{"version":7,"is":"stopping","project":"p","scope":0,"issue":{"id":"T-finishing","identifier":"T-finishing","title":"T-finishing","description":"# T-finishing","priority":null,"state":"Todo","branch_name":null,"url":"file://{folder}/p/issues/T-finishing.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-finishing.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:14.543Z"},"readAt":2674.211443,"failures":0,"threadFailures":0,"thread":{"agent":"codex","id":"01a1ef60-6c36-774a-ae42-aa519f1cbc6d","workspace_path":"{folder}/p/workspaces/T-finishing","usage":{"input_tokens":1000,"cached_input_tokens":400,"output_tokens":50,"reasoning_output_tokens":20,"total_tokens":1050},"prompt_digest":"cd4a1f63f4de422ec4e3900b166efdf5e67632106622e87e4f3baa74fab79dc0","turns":1},"workspace":{"host":"local","path":"{folder}/p/workspaces/T-finishing"},"messages":[],"undelivered":null,"run":{"id":"cb523e2ef2be-5","host":"local","role":"worker","attempt":null,"retry":null,"lastError":null,"counts":true,"startedAt":1795017435158,"phase":"streaming_turn","step":"live","process":{"pid":13758,"startedAt":"63d85adf-16ee-43fb-895c-cc57deef0d28:154774"},"agentPid":13842,"sessionId":"01a1ef60-6c36-774a-ae42-aa519f1cbc6d-01a1ef60-6c4b-743b-89c5-0a11fc5ad46d","turn":1,"isMeasured":true,"usage":{"input_tokens":1000,"cached_input_tokens":400,"output_tokens":50,"reasoning_output_tokens":20,"total_tokens":1050},"lastHeardAt":1795017436798,"signsOfLife":14,"heartbeatAt":1795017436798,"lastEvent":"notification","lastMessage":"$ /bin/bash -lc ''until [ -e \"$HOME/done\" ]; do sleep 0.1; done''","lastEventAt":1795017436798,"callsUnderWay":0,"movedTo":null,"conflicts":0,"result":null},"outcome":"failed","reason":null,"next":{"do":"retry","failure":{"code":"runner_crashed","message":"the runner ended without a result: signal SIGKILL"}},"step":"finishing"}');
INSERT INTO claims VALUES ('p/T-limit', 'p', 'T-limit', 'T-limit', 'held', null, null, '{"version":7,"is":"held","project":"p","scope":0,"issue":{"id":"T-limit","identifier":"T-limit","title":"T-limit","description":"# T-limit","priority":null,"state":"Todo","branch_name":null,"url":"file://{folder}/p/issues/T-limit.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-limit.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:14.543Z"},"readAt":2674.211443,"failures":0,"threadFailures":0,"thread":{"agent":"codex","id":"01a1ef60-6c6a-7fec-b0a8-266ab5f9543c","workspace_path":"{folder}/p/workspaces/T-limit","usage":{"input_tokens":2000000,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":2000000},"prompt_digest":"f42ee16eb912262896a7f3c35466bddf99a641d5871a5064b1b521645fa713e4","turns":1},"workspace":{"host":"local","path":"{folder}/p/workspaces/T-limit"},"messages":[],"undelivered":null,"because":{"code":"limit_tokens","message":"the issue has used 2000000 tokens of 1000000"},"question":null,"since":1795017436588,"stateThen":"Todo"}');
INSERT INTO claims VALUES ('p/T-running', 'p', 'T-running', 'T-running', 'running', 'cb523e2ef2be-7', 13768, '{"version":7,"is":"running","project":"p","scope":0,"issue":{"id":"T-running","identifier":"T-running","title":"T-running","description":"# T-running","priority":null,"state":"Todo","branch_name":null,"url":"file://{folder}/p/issues/T-running.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-running.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:14.543Z"},"readAt":2674.211443,"failures":0,"threadFailures":0,"thread":{"agent":"codex","id":"01a1ef60-6bd4-7886-b0e4-e8c82de48e42","workspace_path":"{folder}/p/workspaces/T-running","usage":{"input_tokens":1000,"cached_input_tokens":400,"output_tokens":50,"reasoning_output_tokens":20,"total_tokens":1050},"prompt_digest":"5f7474f43924848f6c9fb37426fd79f1a0b87681717f0cc358a71d992581aaed","turns":1},"workspace":{"host":"local","path":"{folder}/p/workspaces/T-running"},"messages":[],"undelivered":null,"run":{"id":"cb523e2ef2be-7","host":"local","role":"worker","attempt":null,"retry":null,"lastError":null,"counts":true,"startedAt":1795017435158,"phase":"streaming_turn","step":"live","process":{"pid":13768,"startedAt":"63d85adf-16ee-43fb-895c-cc57deef0d28:154778"},"agentPid":13845,"sessionId":"01a1ef60-6bd4-7886-b0e4-e8c82de48e42-01a1ef60-6bd9-7ade-80b0-7818b6d15d47","turn":1,"isMeasured":true,"usage":{"input_tokens":1000,"cached_input_tokens":400,"output_tokens":50,"reasoning_output_tokens":20,"total_tokens":1050},"lastHeardAt":1795017436379,"signsOfLife":12,"heartbeatAt":1795017436379,"lastEvent":"notification","lastMessage":"at work","lastEventAt":1795017436379,"callsUnderWay":0,"movedTo":null,"conflicts":0,"result":null}}');
INSERT INTO claims VALUES ('p/T-stopped', 'p', 'T-stopped', 'T-stopped', 'stopping', 'cb523e2ef2be-8', 13800, '{"version":7,"is":"stopping","project":"p","scope":0,"issue":{"id":"T-stopped","identifier":"T-stopped","title":"T-stopped","description":"# T-stopped","priority":null,"state":"Todo","branch_name":null,"url":"file://{folder}/p/issues/T-stopped.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-stopped.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:14.543Z"},"readAt":2674.211443,"failures":0,"threadFailures":0,"thread":{"agent":"codex","id":"01a1ef60-6ce4-77e5-8500-d015d1f71e9d","workspace_path":"{folder}/p/workspaces/T-stopped","usage":{"input_tokens":1000,"cached_input_tokens":400,"output_tokens":50,"reasoning_output_tokens":20,"total_tokens":1050},"prompt_digest":"2bec2d8e5b7231eb279fbc22312246de2c1878b6903176e580bba1669d32c894","turns":1},"workspace":{"host":"local","path":"{folder}/p/workspaces/T-stopped"},"messages":[],"undelivered":null,"run":{"id":"cb523e2ef2be-8","host":"local","role":"worker","attempt":null,"retry":null,"lastError":null,"counts":true,"startedAt":1795017435158,"phase":"stopping","step":"live","process":{"pid":13800,"startedAt":"63d85adf-16ee-43fb-895c-cc57deef0d28:154802"},"agentPid":13918,"sessionId":"01a1ef60-6ce4-77e5-8500-d015d1f71e9d-01a1ef60-6cee-7979-b601-8bb8377a584e","turn":1,"isMeasured":true,"usage":{"input_tokens":1000,"cached_input_tokens":400,"output_tokens":50,"reasoning_output_tokens":20,"total_tokens":1050},"lastHeardAt":null,"signsOfLife":14,"heartbeatAt":1795017437271,"lastEvent":"turn_cancelled","lastMessage":"at work","lastEventAt":1795017437256,"callsUnderWay":0,"movedTo":null,"conflicts":0,"result":null},"outcome":null,"reason":"stopped_by_operator","next":{"do":"hold","because":{"code":"stopped_by_operator","message":"stopped by an operator"},"question":null},"step":"runner"}');
INSERT INTO claims VALUES ('q/T-continued', 'q', 'T-continued', 'T-continued', 'retrying', null, null, '{"version":7,"is":"retrying","project":"q","scope":0,"issue":{"id":"T-continued","identifier":"T-continued","title":"T-continued","description":"# T-continued","priority":null,"state":"Todo","branch_name":null,"url":"file://{folder}/q/issues/T-continued.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-continued.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:14.543Z"},"readAt":2750.574059,"failures":0,"threadFailures":0,"thread":{"agent":"codex","id":"01a1ef60-6cc5-7a18-b59e-8474af009778","workspace_path":"{folder}/q/workspaces/T-continued","usage":{"input_tokens":3000,"cached_input_tokens":1200,"output_tokens":150,"reasoning_output_tokens":60,"total_tokens":3150},"prompt_digest":"f16a148b5673a5615239c2f74898acc8296c055b3f4f4ef8cd0f54312d85396f","turns":1},"workspace":{"host":"local","path":"{folder}/q/workspaces/T-continued"},"messages":[],"undelivered":null,"waitsFor":null,"counts":true,"kind":"continuation","attempt":1,"dueAt":1795017438336,"lastError":null}');
INSERT INTO claims VALUES ('q/T-message', 'q', 'T-message', 'T-message', 'retrying', null, null, '{"version":7,"is":"retrying","project":"q","scope":0,"issue":{"id":"T-message","identifier":"T-message","title":"T-message","description":"# T-message","priority":null,"state":"Todo","branch_name":null,"url":"file://{folder}/q/issues/T-message.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-message.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:14.543Z"},"readAt":2677.526449,"failures":0,"threadFailures":0,"thread":{"agent":"codex","id":"01a1ef60-6d1c-7316-820f-87cfd256731d","workspace_path":"{folder}/q/workspaces/T-message","usage":{"input_tokens":2000,"cached_input_tokens":800,"output_tokens":100,"reasoning_output_tokens":40,"total_tokens":2100},"prompt_digest":"91e0791b913e2c1749456b1391b9a3e9e78451457a291a0a73ecbc8b3cb764a1","turns":1},"workspace":{"host":"local","path":"{folder}/q/workspaces/T-message"},"messages":[{"id":"cb523e2ef2be-m1","text":"Blue, like the sky.","at":1795017437123}],"undelivered":null,"waitsFor":"dispatch is paused","counts":true,"kind":"continuation","attempt":1,"dueAt":1795017437123,"lastError":null}');
INSERT INTO books VALUES ('p/T-asked', 1, 2100, 0);
INSERT INTO books VALUES ('p/T-cleaning', 1, 2100, 0);
INSERT INTO books VALUES ('p/T-done', 1, 2100, 0);
INSERT INTO books VALUES ('p/T-failed', 1, 1050, 0);
INSERT INTO books VALUES ('p/T-finishing', 1, 1050, 0);
INSERT INTO books VALUES ('p/T-limit', 1, 2000000, 0);
INSERT INTO books VALUES ('p/T-running', 1, 1050, 0);
INSERT INTO books VALUES ('p/T-stopped', 1, 1050, 0);
INSERT INTO books VALUES ('q/T-continued', 1, 3150, 0);
INSERT INTO books VALUES ('q/T-message', 0, 0, 0);
INSERT INTO workspaces VALUES ('p/T-asked', '[{"host":"local","path":"{folder}/p/workspaces/T-asked"}]');
INSERT INTO workspaces VALUES ('p/T-done', '[{"host":"local","path":"{folder}/p/workspaces/T-done"}]');
INSERT INTO workspaces VALUES ('p/T-failed', '[{"host":"local","path":"{folder}/p/workspaces/T-failed"}]');
INSERT INTO workspaces VALUES ('p/T-cleaning', '[{"host":"local","path":"{folder}/p/workspaces/T-cleaning"}]');
INSERT INTO workspaces VALUES ('p/T-limit', '[{"host":"local","path":"{folder}/p/workspaces/T-limit"}]');
INSERT INTO workspaces VALUES ('p/T-finishing', '[{"host":"local","path":"{folder}/p/workspaces/T-finishing"}]');
INSERT INTO workspaces VALUES ('p/T-running', '[{"host":"local","path":"{folder}/p/workspaces/T-running"}]');
INSERT INTO workspaces VALUES ('q/T-continued', '[{"host":"local","path":"{folder}/q/workspaces/T-continued"}]');
INSERT INTO workspaces VALUES ('q/T-message', '[{"host":"local","path":"{folder}/q/workspaces/T-message"}]');
INSERT INTO workspaces VALUES ('p/T-stopped', '[{"host":"local","path":"{folder}/p/workspaces/T-stopped"}]');
INSERT INTO facts VALUES ('life', '"cb523e2ef2be"');
INSERT INTO facts VALUES ('instance', '"97a7c707db08"');
INSERT INTO facts VALUES ('totals', '{"usage":{"input_tokens":2013000,"cached_input_tokens":5200,"output_tokens":650,"reasoning_output_tokens":260,"total_tokens":2013650},"secondsRunning":11.142}');
INSERT INTO facts VALUES ('paused_projects', '["q"]');
INSERT INTO runs VALUES ('cb523e2ef2be-1', 'p/T-asked', 'T-asked', null, 1795017435158, 1795017435962, 'input_required', 'turn_input_required', 1, 2000, 800, 100, 40, 2100, 'T-asked', 'file://{folder}/p/issues/T-asked.md', 'Todo', null, '{folder}/p/workspaces/T-asked', 'scripted', null, '[]', 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-2', 'p/T-cleaning', 'T-cleaning', null, 1795017435158, 1795017436897, 'succeeded', null, 1, 2000, 800, 100, 40, 2100, 'T-cleaning', 'file://{folder}/p/issues/T-cleaning.md', 'Done', null, '{folder}/p/workspaces/T-cleaning', 'scripted', null, '[]', 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-3', 'p/T-done', 'T-done', null, 1795017435158, 1795017436280, 'succeeded', null, 1, 2000, 800, 100, 40, 2100, 'T-done', 'file://{folder}/p/issues/T-done.md', 'Done', 'done', '{folder}/p/workspaces/T-done', 'scripted', null, '[]', 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-4', 'p/T-failed', 'T-failed', null, 1795017435158, 1795017436073, 'failed', 'port_exit', 1, 1000, 400, 50, 20, 1050, 'T-failed', 'file://{folder}/p/issues/T-failed.md', 'Todo', null, '{folder}/p/workspaces/T-failed', 'scripted', null, '[]', 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-5', 'p/T-finishing', 'T-finishing', null, 1795017435158, 1795017436822, 'failed', 'runner_crashed', 1, 1000, 400, 50, 20, 1050, 'T-finishing', 'file://{folder}/p/issues/T-finishing.md', 'Todo', null, '{folder}/p/workspaces/T-finishing', null, null, '[]', 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-6', 'p/T-limit', 'T-limit', null, 1795017435158, 1795017436581, 'limit_reached', null, 1, 2000000, 0, 0, 0, 2000000, 'T-limit', 'file://{folder}/p/issues/T-limit.md', 'Todo', null, '{folder}/p/workspaces/T-limit', 'scripted', null, '[]', 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-7', 'p/T-running', 'T-running', null, 1795017435158, null, null, null, 0, 0, 0, 0, 0, 0, null, null, null, null, null, null, null, null, 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-8', 'p/T-stopped', 'T-stopped', null, 1795017435158, null, null, null, 0, 0, 0, 0, 0, 0, null, null, null, null, null, null, null, null, 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-9', 'q/T-continued', 'T-continued', null, 1795017435163, 1795017437302, 'succeeded', null, 1, 3000, 1200, 150, 60, 3150, 'T-continued', 'file://{folder}/q/issues/T-continued.md', 'Todo', null, '{folder}/q/workspaces/T-continued', 'scripted', null, '[]', 0, 'local', 'worker');
INSERT INTO runs VALUES ('cb523e2ef2be-10', 'q/T-message', 'T-message', null, 1795017435163, 1795017436499, 'input_required', 'turn_input_required', 1, 2000, 800, 100, 40, 2100, 'T-message', 'file://{folder}/q/issues/T-message.md', 'Todo', null, '{folder}/q/workspaces/T-message', 'scripted', null, '[]', 0, 'local', 'worker');
INSERT INTO actions VALUES (1, 1795017436904, 'control token (cli root), control socket', '{"command":"pause","project":"q"}');
INSERT INTO actions VALUES (2, 1795017437123, 'control token (cli root), control socket', '{"command":"retry","message":"Blue, like the sky.","key":"q/T-message"}');
INSERT INTO actions VALUES (3, 1795017437250, 'control token (cli root), control socket', '{"command":"stop","key":"p/T-stopped"}');
INSERT INTO kept VALUES ('p/T-done', '[{"issue":{"id":"T-done","identifier":"T-done","title":"T-done","description":"# T-done","priority":null,"state":"Done","branch_name":null,"url":"file://{folder}/p/issues/T-done.md","assignee_id":null,"labels":[],"blocked_by":[],"dispatchable":true,"native_ref":{"file":"T-done.md","comments":null},"created_at":"2026-11-18T15:57:14.543Z","updated_at":"2026-11-18T15:57:15.999Z"},"host":"local","path":"{folder}/p/workspaces/T-done","reason":"files changed, without git","since":1795017436444,"isDiscarded":false}]');
PRAGMA user_version = 8;
