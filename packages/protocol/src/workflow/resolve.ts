import {basename, dirname, join, resolve} from 'node:path';
import type {
  HookSettings,
  LogSettings,
  ServerSettings,
  Settings,
  TrackerSettings,
} from '../settings.ts';
import {resolveAgent} from './agent.ts';
import type {FileContext} from './context.ts';
import type {GivenSettings} from './keys/schema.ts';
import {resolvePath} from './secrets/variables.ts';
import type {Findings} from './text/findings.ts';

const BYTES_PER_MB = 1_000_000;

/**
 * From the file's spelling to ours; the tracker's part is resolved beforehand. Without one there are
 * no settings, but what is wrong with the other parts is found all the same.
 */
export function resolveSettings(
  given: GivenSettings,
  tracker: TrackerSettings | null,
  context: FileContext,
  findings: Findings,
): Settings | null {
  const name = given.name ?? folderName(context.path);
  const others = {
    name,
    polling: {intervalMs: given.polling.interval_ms},
    workspace: {
      root: workspaceRoot(given.workspace.root, name, context, findings),
      keepUnpushed: given.workspace.keep_unpushed,
    },
    hooks: hooks(given.hooks),
    agent: resolveAgent(given, tracker?.secretNames ?? [], findings),
    server: server(given.server),
    logs: logs(given.logs, findings),
  };
  return tracker && {...others, tracker};
}

/** A file in the root folder has no folder name to give. */
function folderName(path: string): string {
  return basename(dirname(resolve(path))) || 'workflow';
}

function workspaceRoot(
  given: string | null,
  project: string,
  context: FileContext,
  findings: Findings,
): string {
  const common = resolve(context.tmpDir, 'symphony_workspaces');
  const fallback = context.severalProjects ? join(common, project) : common;
  if (given === null) return fallback;
  return resolvePath(given, ['workspace', 'root'], context, findings) ?? fallback;
}

function hooks(given: GivenSettings['hooks']): HookSettings {
  return {
    afterCreate: scriptOrNone(given.after_create),
    beforeRun: scriptOrNone(given.before_run),
    afterRun: scriptOrNone(given.after_run),
    deliver: scriptOrNone(given.deliver),
    beforeRemove: scriptOrNone(given.before_remove),
    timeoutMs: given.timeout_ms,
  };
}

function scriptOrNone(script: string | null): string | null {
  return script === null || script.trim() === '' ? null : script;
}

function server(given: GivenSettings['server']): ServerSettings {
  return {
    port: given.port,
    host: given.host,
    allowedHosts: given.allowed_hosts.map((host) => host.toLowerCase()),
    publicRead: given.public_read,
    webhookPort: given.webhook_port,
    webhookHost: given.webhook_host,
  };
}

function logs(given: GivenSettings['logs'], findings: Findings): LogSettings {
  const {max_run_mb: run, max_total_mb: total} = given;
  if (total < run) {
    findings.reject(['logs', 'max_total_mb'], `at least logs.max_run_mb (${run})`);
  }
  return {maxRunBytes: run * BYTES_PER_MB, maxTotalBytes: total * BYTES_PER_MB};
}
